"""Gives Schemathesis tokens of sandboxes with random conditions, and drops the findings that are not true."""

import os
import random
import re

import requests
import schemathesis

BASE = os.environ["BASE_URL"]
CHANCE = random.Random(int(os.environ["SEED"]))
APPLICATION = ("demo", "SANDBOX-demo-secret")
PLACE = {"lat": 37.7955, "lng": -122.3937}
WORLDS_AT_ONCE = 4
RIDES = [[], ["pending"], ["accepted"], ["droppedOff"], ["canceled", "pickedUp"]]
CONDITIONS = [
    ("clientToken", "PUT", "/sandbox/v1/primetime", {**PLACE, "primetime_percentage": "100%"}),
    ("clientToken", "PUT", "/sandbox/v1/ridetypes", {**PLACE, "ride_types": ["svc_line", "svc_plus"]}),
    ("clientToken", "PUT", "/sandbox/v1/ridetypes/svc", {**PLACE, "driver_availability": False}),
    ("userToken", "PATCH", "/sandbox/v1/passenger", {"payment_method": None}),
    ("userToken", "PATCH", "/sandbox/v1/passenger", {"phone_verified": False}),
    ("userToken", "PATCH", "/sandbox/v1/passenger", {"account_disabled": True}),
    ("userToken", "PATCH", "/sandbox/v1/passenger", {"driver_mode": True}),
]
OF_RIDE = ["getRide", "getReceipt", "updateDestination", "rateRide", "cancelRide", "setRideStatus", "listEvents", "listWebhookEvents"]
# Schemathesis expects success when a request fits its schema, even if the operation has a 400
# (https://github.com/schemathesis/schemathesis/issues/3696). These are the descriptions of bad_parameter and
# invalid_request that no schema can prevent. Every other code of a 400 is about the state of the world.
REFUSALS = [
    # which errors an operation has depends on its responses
    r"The header Svc-Sandbox-Scenario does not name an error of this operation\.",
    # two fields together
    r"Send \w+ and \w+ together, or neither\.",
    r"PKCE requires both code_challenge and code_challenge_method=S256\.",
    r"The parameter canceled_by requires the status canceled, not \w+\.",
    r"The request authenticates the client twice\.",
    r"The parameter (code|refresh_token) is required\.",
    r"The (client_id|client_secret) does not match the HTTP Basic credentials\.",
    r"The end_time is before the start_time\.",
    # an empty parameter is an absent one (RFC 6749, section 3.2), and so is null
    r"The parameter (client_id|grant_type|token) is required\.",
    r"The body must have at least one field\.",
    # the calendar, and text that a database can't store
    r"The parameter [\w.]+ must (be an ISO 8601 date and time|be a date and time that exists|be before 2100|not be before 2015)",
    r"The parameter [\w.]+ must be valid Unicode text without NUL characters\.",
    # the state of the world
    r"This cursor is not valid\.",
    r"Another passenger in this world has this email address\.",
    r"The redirect_uri is not registered for this application\.",
    r"There is no application with this client_id\.",
    r"The clock cannot go past the year 2099\.",
    r"Every driver in .+ has a ride\.",
    r"The drop-off is more than 100 miles away\.",
    r"A ride that is \w+ (cannot become \w+|already has a driver)\.",
    r"The ride is already \w+\.",
]

worlds = []
# the worlds that ids and tokens in responses came from
owner_of = {}


def ask(token, method, path, body=None):
    answer = requests.request(method, BASE + path, json=body, headers={"Authorization": f"Bearer {token}"})
    answer.raise_for_status()
    return answer.json() if answer.content else None


def new_world():
    grant = {"grant_type": "client_credentials", "scope": "public"}
    own = requests.post(f"{BASE}/oauth/token", json=grant, auth=APPLICATION).json()["access_token"]
    clock = {"state": CHANCE.choice(["frozen", "running"]), "now": "2026-05-12T18:00:00Z"}
    wish = {"seed": str(CHANCE.random()), "clock": clock, "limits": False}
    client = ask(own, "POST", "/sandbox/v1/worlds", wish)["token"]["access_token"]
    user = ask(client, "POST", "/sandbox/v1/passengers")["token"]["access_token"]
    if CHANCE.random() < 0.5:
        ask(client, "PUT", "/sandbox/v1/webhooks", {"url": f"{BASE}/no-receiver"})
    world = {"clientToken": client, "userToken": user, "ride_id": [], "event_id": []}
    for status in CHANCE.choice(RIDES):
        place = {"origin": PLACE, "destination": {**PLACE, "lat": 37.77}}
        ride = ask(user, "POST", "/v1/rides", {**place, "ride_type": "svc"})["ride_id"]
        world["ride_id"].append(ride)
        owner_of[ride] = world
        if status != "pending":
            ask(user, "PUT", f"/sandbox/v1/rides/{ride}", {"status": status})
        if status == "droppedOff":
            ask(user, "PUT", f"/v1/rides/{ride}/rating", {"rating": 5})
            ask(client, "POST", "/sandbox/v1/clock/advance", {"seconds": 60})
    for scheme, *request in CONDITIONS:
        if CHANCE.random() < 0.1:
            ask(world[scheme], *request)
    ask(client, "PATCH", "/sandbox/v1/world", {"auto_advance": CHANCE.random() < 0.5})
    return world


@schemathesis.hook
def before_load_schema(context, raw_schema):
    # without OAuth 2, which ignored_auth doesn't know
    for scheme in ("userToken", "clientToken"):
        raw_schema["components"]["securitySchemes"][scheme] = {"type": "http", "scheme": "bearer"}
    # the operations that take the ID of a new ride
    links = {each: {"operationId": each, "parameters": {"ride_id": "$response.body#/ride_id"}} for each in OF_RIDE}
    raw_schema["paths"]["/v1/rides"]["post"]["responses"]["201"]["links"] = links


@schemathesis.auth(refresh_interval=None)
class Tokens:
    def get(self, case, context):
        schemes = [name for each in context.operation.definition.raw["security"] for name in each]
        if not schemes:
            # the pages of errors show no code
            case.headers["Accept"] = "application/json"
            return None
        scheme = CHANCE.choice(schemes)
        if scheme == "clientBasic":
            return requests.auth._basic_auth_str(*APPLICATION)
        while len(worlds) < WORLDS_AT_ONCE:
            worlds.append(new_world())
        parts = [part for part in (case.path_parameters, case.query, case.body) if isinstance(part, dict)]
        sent = [value for part in parts for value in part.values() if isinstance(value, str)]
        owners = [owner_of[value] for value in sent if value in owner_of]
        world = owners[0] if owners else CHANCE.choice(worlds)
        for name in case.path_parameters:
            if not owners and case.meta.generation.mode.is_positive and world.get(name):
                case.path_parameters[name] = CHANCE.choice(world[name])
        return f"Bearer {world[scheme]}"

    def set(self, case, data, context):
        case.headers["Authorization"] = data


@schemathesis.hook
def after_call(context, case, response):
    token = response.request.headers.get("Authorization", "").removeprefix("Bearer ")
    world = next((each for each in worlds if token in each.values()), None)
    if world is None:
        return
    for name, value in re.findall(r'"(ride_id|event_id|cost_token)":"([\w.-]+)"', response.text):
        owner_of[value] = world
        if name in world:
            world[name].append(value)
    # its tokens no longer work, or it is time for other conditions
    if response.status_code == 401 or CHANCE.random() < 0.04:
        worlds.remove(world)


@schemathesis.deserializer("text/html")
def page(context, response):
    return response.text


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a finding is true."""
    kind = type(failure).__name__
    if kind == "AcceptedNegativeData":
        # by the contract's conventions, a body of null is no body
        is_no_body = case.body is None and not case.operation.definition.raw["requestBody"]["required"]
        # an empty parameter of a form is an absent one (RFC 6749, section 3.2)
        is_absent = "code_verifier: Value not matching" in failure.message and case.body["code_verifier"] == ""
        return not is_no_body and not is_absent
    if kind not in ("ServerError", "RejectedPositiveData"):
        return True
    answer = response.json()
    # the request asked for this error
    if answer["error"] == case.headers.get("Svc-Sandbox-Scenario"):
        return False
    if kind == "ServerError" or response.status_code != 400:
        return True
    # Schemathesis sends null in a form as the text null
    if "form" in (case.media_type or "") and None in case.body.values():
        return False
    is_state = answer["error"] not in ("bad_parameter", "invalid_request")
    return not is_state and not any(re.match(each, answer["error_description"]) for each in REFUSALS)
