import { describe, expect, test } from 'vitest';
import { contract } from '../../scripts/contract/read.ts';
import { exampleObjects, exampleValues, statedExamples } from './support/examples.ts';
import { faultsOf } from './support/validator.ts';

describe('an example is valid', () => {
  test.each(statedExamples())('$where', ({ schemaPointer, value }) => {
    expect(faultsOf(value, schemaPointer)).toEqual([]);
  });
});

describe('the examples show', () => {
  test.each([
    ['one ride', 'ride_id'],
    ['one driver', 'driver'],
    ['one car', 'vehicle'],
    ['one currency', 'currency'],
    ['one time of the request', 'requested_at'],
    ['one time zone', 'timezone'],
  ])('%s', (_, key) => {
    const values = exampleValues(key).map((value) => JSON.stringify(value));
    expect(values.length).toBeGreaterThan(0);
    expect([...new Set(values)]).toHaveLength(1);
  });

  test('one passenger, also in the examples that create one in a sandbox', () => {
    const shown = exampleValues('passenger') as Record<'user_id' | 'passenger_id' | 'first_name', string>[];
    const [riding, made] = [shown.filter(({ user_id: id }) => id), shown.filter(({ passenger_id: id }) => id)];
    expect(riding.length + made.length).toBe(shown.length);
    for (const one of [riding, made]) expect(new Set(one.map((value) => JSON.stringify(value))).size).toBe(1);
    const { user_id: _, image_url: __, ...same } = riding[0] as Record<string, unknown>;
    expect(same).toHaveProperty('rating');
    expect(made[0]).toMatchObject(same);
  });

  test("the passenger's profile", () => {
    const passenger = exampleValues('passenger')[0] as { user_id: string; first_name: string };
    const profile = contract.components!.examples!.profile as { value: { id: string; first_name: string } };
    expect(profile.value).toMatchObject({ id: passenger.user_id, first_name: passenger.first_name });
  });

  test('only places in San Francisco', () => {
    const numbers = (key: string) => exampleValues(key).filter((value) => typeof value === 'number');
    expect(numbers('lat').filter((lat) => lat < 37.7 || lat > 37.83)).toEqual([]);
    expect(numbers('lng').filter((lng) => lng < -122.52 || lng > -122.35)).toEqual([]);
  });

  test('prices that match the sum of the line items and of the charges', () => {
    const paid = exampleObjects().filter((object): object is Paid => 'price' in object);
    expect(paid.length).toBeGreaterThan(1);
    for (const { price, ...parts } of paid) {
      expect([sum(parts.line_items), sum(parts.charges)]).toEqual([price.amount, price.amount]);
    }
  });
});

type Paid = { price: Amount; line_items: Amount[]; charges: Amount[] };
type Amount = { amount: number };

function sum(amounts: Amount[]): number {
  return amounts.reduce((total, { amount }) => total + amount, 0);
}
