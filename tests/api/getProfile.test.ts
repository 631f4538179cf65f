import { describe, expect, test } from 'vitest';
import { SCOPE_SENTENCES } from '../../generated/server.ts';
import { contract } from '../../scripts/contract/read.ts';
import { answerOf } from '../support/answers.ts';
import { engines } from '../support/database.ts';
import { testServer } from '../support/started.ts';
import { advanceUntil, requestRideOf, ridingOf, startRiding } from '../support/take-ride.ts';

/** Words that the sentence of a scope can contain, and the profile field that each stands for. */
const SEEN = {
  name: 'last_name',
  ride: 'has_taken_a_ride',
  picture: 'image_url',
  email: 'email',
  phone: 'phone_number',
  rating: 'rating',
};

test.each(Object.entries(SEEN))('the scope profile mentions %s if the profile has it', (word, field) => {
  const { properties = {} } = contract.components!.schemas!.Profile!;
  expect(SCOPE_SENTENCES.profile.includes(word)).toBe(field in properties);
});

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine);

  test('the profile has the id and the name of the passenger of the token', async () => {
    const world = await server.newWorld();
    const { api, passenger } = await server.newRider(world, { firstName: 'Zoë', lastName: '王' });
    await server.newRider(world);
    expect(answerOf(await api.getProfile())).toEqual({
      status: 200,
      body: { id: passenger.id, first_name: 'Zoë', last_name: '王', has_taken_a_ride: false },
    });
  });

  test('has_taken_a_ride becomes true at the first drop-off, not before', async () => {
    const canceled = await startRiding(server);
    await canceled.api.cancelRide({ params: canceled.params });
    const riding = ridingOf(canceled, canceled.world, await requestRideOf(canceled));
    const hasTakenARide = async () => (await riding.api.getProfile()).data!.has_taken_a_ride;
    await advanceUntil(server, riding, 'pickedUp');
    expect(await hasTakenARide()).toBe(false);
    await advanceUntil(server, riding, 'droppedOff');
    expect(await hasTakenARide()).toBe(true);
  });
});
