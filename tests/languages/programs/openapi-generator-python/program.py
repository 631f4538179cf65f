import json
import os

import ridehail
from ridehail import ApiClient, ApiException, Configuration


def client(authorization):
    return ApiClient(Configuration(host=os.environ["BASE_URL"]), header_name="Authorization", header_value=authorization)


def again(answer):
    return json.loads(getattr(ridehail, answer["component"]).from_json(json.dumps(answer["body"])).to_json())


def refusal(call, *arguments):
    try:
        call(*arguments)
    except ApiException as refused:
        return refused.data.actual_instance


def ride():
    token = ridehail.TokensApi(client(os.environ["BASIC"])).create_token(ridehail.TokenRequest(grant_type="client_credentials"))
    prices = ridehail.AvailabilityApi(client(f"Bearer {token.access_token}"))
    price = prices.estimate_cost(37.7955, -122.3937, end_lat=37.7596, end_lng=-122.4269, ride_type="svc").cost_estimates[0]
    passenger = client(f"Bearer {os.environ['TOKEN']}")
    rides = ridehail.RidesApi(passenger)
    request = ridehail.RideRequest(
        ride_type="svc", origin=ridehail.RequestedPlace(lat=37.7955, lng=-122.3937),
        destination=ridehail.OptionalPlace(lat=37.7596, lng=-122.4269))
    prime_time = refusal(rides.request_ride, request)
    request.cost_token = prime_time.cost_token
    id = rides.request_ride(request).ride_id
    ridehail.SandboxApi(passenger).set_ride_status(id, ridehail.RideMove(status="pickedUp"))
    fee = refusal(rides.cancel_ride, id)
    rides.cancel_ride(id, cancel_request=ridehail.CancelRequest(cancel_confirmation_token=fee.token))
    receipt = rides.get_receipt(id)
    return price.estimated_cost_cents_max, prime_time.primetime_percentage, fee.amount, receipt.line_items[0].amount
