package main

import (
	"encoding/json"
	"fmt"
	"os"

	"example/ridehail"
)

// decoders has an entry for each component in answers.json, because Go cannot look up a type by its name.
var decoders = map[string]func(json.RawMessage) []byte{
	// ENTRIES
}

// main prints the bodies in answers.json as the generated types read and write them, and takes a ride.
func main() {
	var answers []struct {
		Component string
		Body      json.RawMessage
	}
	stop(json.Unmarshal(must(os.ReadFile("answers.json")), &answers))
	for _, answer := range answers {
		fmt.Println(string(decoders[answer.Component](answer.Body)))
	}
	ride()
}

func again[T any](body json.RawMessage) []byte {
	var value T
	stop(json.Unmarshal(body, &value))
	return must(json.Marshal(&value))
}

func must[T any](value T, err error) T {
	stop(err)
	return value
}

func stop(err error) {
	if err != nil {
		panic(err)
	}
}
