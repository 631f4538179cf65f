import type fc from 'fast-check';
import type { OperationId } from '../../../../generated/server.ts';
import { SECOND_MS } from '../../../../server/domain/time.ts';
import { FERRY_BUILDING } from '../../../support/places.ts';
import { TUESDAY_MORNING } from '../../../support/server.ts';
import { type Ask, differs, Finding, type Question, type Told } from '../ask.ts';
import { SEED } from '../cast.ts';
import { type Model, newModel, type RideModel } from './model.ts';

/** A passenger in a new world, which the test reaches only through the API. */
export interface Stay {
  readonly ask: Ask;
  readonly clientToken: string;
  token: string;
}

export type Command = fc.AsyncCommand<Model, Stay>;

export const AT = FERRY_BUILDING;

/** Creates a world and a passenger. */
export async function moveIn(ask: Ask, homeToken: string): Promise<{ readonly model: Model; readonly real: Stay }> {
  const clock = { state: 'frozen', now: new Date(TUESDAY_MORNING).toISOString() };
  const made = await ask('createWorld', { token: homeToken, body: { seed: SEED, clock, limits: false } });
  check(made, 201);
  const real: Stay = { ask, clientToken: made.body.token.access_token, token: '' };
  await settle(real);
  return { model: newModel(TUESDAY_MORNING), real };
}

/** Sets up the world, at the start and after each reset. */
export async function settle(real: Stay): Promise<void> {
  real.token = (await control(real, 'createPassenger', undefined, 201)).body.token.access_token;
  await control(real, 'setPrimeTime', { ...AT, primetime_percentage: '0%' }, 204);
}

/** Calls a control of the world, which must return this status. */
export async function control(
  { ask, clientToken: token }: Stay,
  operation: OperationId,
  body: unknown,
  status = 200,
  path = {},
): Promise<Told> {
  const told = await ask(operation, { token, body, path });
  check(told, status);
  return told;
}

/** @param due the error code of a failure */
export function check({ status, body, request }: Told, wanted: number, due?: string): void {
  const code: unknown = body?.error;
  if (status === wanted && (due === undefined || code === due)) return;
  throw new Finding([`got ${status} ${code ?? ''}, expected ${wanted} ${due ?? ''}`], request);
}

export function expectSame({ request }: Told, what: string, found: unknown, due: unknown): void {
  const problems = differs(what, found, due);
  if (problems.length > 0) throw new Finding(problems, request);
}

/** A command that can always run, because errors are checked too. Afterwards it compares the ride with the model. */
export function command(words: string, act: (model: Model, real: Stay) => Promise<unknown>): Command {
  return {
    check: () => true,
    toString: () => words,
    run: async (model, real) => {
      await act(model, real);
      await compare(model, real);
    },
  };
}

/** A command on the latest ride. It runs only if there is one. */
export function aboutRide(
  words: string,
  act: (ride: RideModel, model: Model, real: Stay) => Promise<unknown>,
): Command {
  return {
    ...command(words, (model, real) => act(model.rides.at(-1)!, model, real)),
    check: ({ rides }) => rides.length > 0,
  };
}

async function compare(model: Model, real: Stay): Promise<void> {
  const ride = model.rides.at(-1);
  if (ride === undefined) return;
  const told = await real.ask('getRide', on(ride, real));
  check(told, 200);
  const { status, rating, canceled_by, primetime_percentage, price, pickup, dropoff, duration_seconds } = told.body;
  const found = [status, rating ?? null, canceled_by ?? null, primetime_percentage, price !== undefined];
  expectSame(told, 'the ride', found, [
    ...[ride.status, ride.rating, ride.canceledBy, `${ride.primeTimePercent}%`, ride.isPaid],
  ]);
  if (status !== 'droppedOff') return;
  const seconds = (Date.parse(dropoff.time) - Date.parse(pickup.time)) / SECOND_MS;
  expectSame(told, 'duration_seconds', duration_seconds, Math.max(1, Math.round(seconds)));
}

export function on(ride: RideModel, { token }: Stay, body?: unknown): Question {
  return { token, path: { ride_id: ride.id }, body };
}
