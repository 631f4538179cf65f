"""Prints the bodies in answers.json as the generated types read and write them, and takes a ride."""
import json

from program import again, ride

for answer in json.load(open("answers.json")):
    print(json.dumps(again(answer)))
print(*ride())
