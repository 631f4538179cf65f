import os
import re
from importlib import import_module
from pathlib import Path

import httpx

from ridehail import AuthenticatedClient
from ridehail.api.availability import estimate_cost
from ridehail.api.rides import cancel_ride, get_receipt, request_ride
from ridehail.api.sandbox import set_ride_status
from ridehail.api.tokens import create_token
from ridehail.models import CancelRequest, OptionalPlaceType0, RequestedPlace, RideMove, RideRequest, RideStatus, TokenRequest


def client(token, prefix="Bearer"):
    return AuthenticatedClient(base_url=os.environ["BASE_URL"], token=token, prefix=prefix)


def again(answer):
    name = re.sub(r"([A-Z])", lambda found: "_" + found[1].lower(), answer["operation"])
    [module] = [import_module(f"ridehail.api.{path.parent.name}.{name}") for path in Path("ridehail/api").glob(f"*/{name}.py")]
    response = httpx.Response(answer["status"], json=answer["body"])
    return module._build_response(client=client(""), response=response).parsed.to_dict()


def ride():
    basic = client(os.environ["BASIC"].split()[1], prefix="Basic")
    token = create_token.sync(client=basic, body=TokenRequest(grant_type="client_credentials"))
    price = estimate_cost.sync(
        client=client(token.access_token), start_lat=37.7955, start_lng=-122.3937, end_lat=37.7596, end_lng=-122.4269, ride_type="svc")
    passenger = client(os.environ["TOKEN"])
    request = RideRequest(ride_type="svc", origin=RequestedPlace(lat=37.7955, lng=-122.3937), destination=OptionalPlaceType0(lat=37.7596, lng=-122.4269))
    prime_time = request_ride.sync(client=passenger, body=request)
    request.cost_token = prime_time.cost_token
    id = request_ride.sync(client=passenger, body=request).ride_id
    set_ride_status.sync(id, client=passenger, body=RideMove(status=RideStatus.PICKEDUP))
    fee = cancel_ride.sync(id, client=passenger, body=CancelRequest())
    cancel_ride.sync(id, client=passenger, body=CancelRequest(cancel_confirmation_token=fee.token))
    receipt = get_receipt.sync(id, client=passenger)
    return price.cost_estimates[0].estimated_cost_cents_max, prime_time.primetime_percentage, fee.amount, receipt.line_items[0].amount
