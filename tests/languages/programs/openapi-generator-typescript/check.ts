import { readFileSync } from 'node:fs';
import * as ridehail from './ridehail/index';

const { BASE_URL, BASIC, TOKEN } = process.env;
const client = (authorization: string) =>
  new ridehail.Configuration({ basePath: BASE_URL, headers: { Authorization: authorization } });

// prints the bodies as the generated types read and write them
const converters = ridehail as unknown as Record<string, (value: unknown) => unknown>;
for (const { component, body } of JSON.parse(readFileSync('answers.json', 'utf8'))) {
  const value = converters[`${component}FromJSON`]!(body);
  console.log(JSON.stringify(converters[`${component}ToJSON`]!(value)));
}

// takes a ride
const credentials: ridehail.TokenRequest = { grantType: 'client_credentials' };
const token = await new ridehail.TokensApi(client(BASIC!)).createToken({ tokenRequest: credentials });
const prices = new ridehail.AvailabilityApi(client(`Bearer ${token.accessToken}`));
const from = { startLat: 37.7955, startLng: -122.3937 };
const { costEstimates } = await prices.estimateCost({ ...from, endLat: 37.7596, endLng: -122.4269, rideType: 'svc' });
const rides = new ridehail.RidesApi(client(`Bearer ${TOKEN}`));
const rideRequest: ridehail.RideRequest = {
  rideType: 'svc',
  origin: { lat: 37.7955, lng: -122.3937 },
  destination: { lat: 37.7596, lng: -122.4269 },
};
const primeTime = ridehail.PrimeTimeConfirmationRequiredFromJSON(await refusal(rides.requestRide({ rideRequest })));
rideRequest.costToken = primeTime.costToken;
const { rideId } = await rides.requestRide({ rideRequest });
await new ridehail.SandboxApi(client(`Bearer ${TOKEN}`)).setRideStatus({ rideId, rideMove: { status: 'pickedUp' } });
const fee = ridehail.CancelConfirmationRequiredFromJSON(await refusal(rides.cancelRide({ rideId })));
await rides.cancelRide({ rideId, cancelRequest: { cancelConfirmationToken: fee.token } });
const { lineItems } = await rides.getReceipt({ rideId });
const estimate = costEstimates[0]!.estimatedCostCentsMax;
console.log(estimate, primeTime.primetimePercentage, fee.amount, lineItems[0]!.amount);

async function refusal(call: Promise<unknown>): Promise<unknown> {
  const error = await call.then(
    () => null,
    (thrown: ridehail.ResponseError) => thrown,
  );
  return error!.response.json();
}
