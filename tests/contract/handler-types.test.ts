import { expect, test } from 'vitest';
import type { Operations } from '../../client/client.ts';
import type { FailureCode, HandlersTagged } from '../../generated/server.ts';

// Each line below @ts-expect-error must not compile. If one compiles, tsc in `npm run check` reports it.

interface Contexts {
  userToken: { passengerId: string };
  clientToken: { applicationId: string };
  clientBasic: { applicationId: string };
  nobody: { network: string };
}
type Passenger = HandlersTagged<'Passenger', Contexts>;

const maya = { id: 'maya', first_name: 'Maya', last_name: 'Okafor', has_taken_a_ride: true };

test('an undeclared response does not compile', () => {
  const wrong = {
    // @ts-expect-error: the status is not declared
    status: (_, reply) => reply(202, maya),
    // @ts-expect-error: a handler throws a failure and never returns it
    failure: (_, reply) => reply(429, { error: 'rate_limit_exceeded', error_description: '', error_detail: [] }),
    // @ts-expect-error: the field has the wrong type
    type: (_, reply) => reply(200, { ...maya, has_taken_a_ride: 'yes' }),
    // @ts-expect-error: the field must not be null
    null: (_, reply) => reply(200, { ...maya, first_name: null }),
    // @ts-expect-error: age is not a field of the profile
    excess: (_, reply) => reply(200, { id: 'a', first_name: '', last_name: '', has_taken_a_ride: true, age: 40 }),
    // @ts-expect-error: required fields are missing
    missing: (_, reply) => reply(200, { id: 'a' }),
    // @ts-expect-error: the header is not declared
    header: (_, reply) => reply(200, maya, { 'X-Surprise': 'a' }),
    // @ts-expect-error: only reply() makes a response
    literal: () => ({ status: 200, body: maya, headers: {} }),
  } satisfies Record<string, Passenger['getProfile']>;
  expect(Object.keys(wrong)).toHaveLength(8);
});

test('a missing handler does not compile', () => {
  // @ts-expect-error: getProfile is missing
  expect({} satisfies Passenger).toEqual({});
});

test('an operation fails only with its own codes', () => {
  const codes: FailureCode<'requestRide'>[] = ['user_already_in_ride', 'rate_limit_exceeded'];
  // @ts-expect-error: getProfile never fails with this code
  const foreign: FailureCode<'getProfile'> = 'user_already_in_ride';
  expect(codes).toContain(foreign);
});

test('a caller must check the status before it reads a field', () => {
  const call = async (api: Operations) => {
    const { data, error } = await api.getRide({ params: { path: { ride_id: 'a' } } });
    // @ts-expect-error: only some statuses have a driver
    data?.driver;
    if (data?.status === 'arrived') data.driver.phone_number satisfies string;
    // @ts-expect-error: getRide does not fail with a cancel confirmation
    error?.error === 'cancel_confirmation_required';
    // @ts-expect-error: the path parameter ride_id is missing
    await api.getRide({});
  };
  expect(call).toBeTypeOf('function');
});
