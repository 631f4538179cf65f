package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// decode prints the bodies of a file as the generated types read and write them.
func decode(file string) {
	var answers []struct {
		Component string
		Body      json.RawMessage
	}
	text, err := os.ReadFile(file)
	stop(err)
	stop(json.Unmarshal(text, &answers))
	for _, answer := range answers {
		value := TYPES[answer.Component]()
		stop(json.Unmarshal(answer.Body, value))
		back, err := json.Marshal(value)
		stop(err)
		fmt.Println(string(back))
	}
}

func stop(err error) {
	if err != nil {
		panic(err)
	}
}
