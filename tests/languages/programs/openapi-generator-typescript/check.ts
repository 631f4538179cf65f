import { readFileSync } from 'node:fs';
import * as ridehail from './ridehail/index';

const { BASE_URL, BASIC, TOKEN, WORLD_TOKEN } = process.env;
const client = (authorization: string) =>
  new ridehail.Configuration({ basePath: BASE_URL, headers: { Authorization: authorization } });
const converters = ridehail as unknown as Record<string, (value: unknown) => unknown>;

function decode(file: string) {
  for (const { component, body } of JSON.parse(readFileSync(file, 'utf8'))) {
    const value = converters[`${component}FromJSON`]!(body);
    console.log(JSON.stringify(converters[`${component}ToJSON`]!(value)));
  }
}

async function refusalOf<T>(call: Promise<unknown>): Promise<T> {
  const error = await call.then(
    () => null,
    (thrown: ridehail.ResponseError) => thrown,
  );
  return (await error!.response.json()) as T;
}

async function ride() {
  const token = await new ridehail.TokensApi(client(BASIC!)).createToken({
    tokenRequest: { grantType: 'client_credentials' },
  });
  const prices = new ridehail.AvailabilityApi(client(`Bearer ${token.accessToken}`));
  const { costEstimates } = await prices.estimateCost({
    startLat: 37.7955,
    startLng: -122.3937,
    endLat: 37.7596,
    endLng: -122.4269,
    rideType: 'svc',
  });
  const rides = new ridehail.RidesApi(client(`Bearer ${TOKEN}`));
  const rideRequest: ridehail.RideRequest = {
    rideType: 'svc',
    origin: { lat: 37.7955, lng: -122.3937 },
    destination: { lat: 37.7596, lng: -122.4269 },
  };
  const primeTime = ridehail.PrimeTimeConfirmationRequiredFromJSON(await refusalOf(rides.requestRide({ rideRequest })));
  rideRequest.costToken = primeTime.costToken;
  const { rideId } = await rides.requestRide({ rideRequest });
  await new ridehail.SandboxApi(client(`Bearer ${TOKEN}`)).setRideStatus({ rideId, rideMove: { status: 'accepted' } });
  await new ridehail.SandboxApi(client(`Bearer ${WORLD_TOKEN}`)).advanceClock({ clockAdvance: { seconds: 180 } });
  const fee = ridehail.CancelConfirmationRequiredFromJSON(await refusalOf(rides.cancelRide({ rideId })));
  await rides.cancelRide({ rideId, cancelRequest: { cancelConfirmationToken: fee.token } });
  const { lineItems } = await rides.getReceipt({ rideId });
  console.log(
    JSON.stringify({
      estimate: costEstimates[0]!.estimatedCostCentsMax,
      prime_time: primeTime.primetimePercentage,
      fee: fee.amount,
      receipt: lineItems[0]!.amount,
    }),
  );
}

if (process.env.FILE) decode(process.env.FILE);
else await ride();
