import type fc from 'fast-check';
import { SECOND_MS } from '../../../../server/domain/time.ts';
import { FERRY_BUILDING } from '../../../support/places.ts';
import { TUESDAY_MORNING } from '../../../support/server.ts';
import { type Ask, Finding, type Question, type Told } from '../ask.ts';
import { SEED } from '../cast.ts';
import type { Model, RideModel } from '../model.ts';
import * as life from '../model.ts';

/** A passenger in a new world, which the test reaches only through the API. */
export interface Stay {
  readonly ask: Ask;
  readonly clientToken: string;
  token: string;
  strangersToken: string;
}

export type Command = fc.AsyncCommand<Model, Stay>;

/** The expected status of a call, and the error code of a failure. */
export interface Due {
  readonly status: number;
  readonly code?: string;
}

export const AT = FERRY_BUILDING;

export async function moveIn(ask: Ask, homeToken: string): Promise<{ model: Model; real: Stay }> {
  const now = new Date(TUESDAY_MORNING).toISOString();
  const made = await ask('createWorld', {
    token: homeToken,
    body: { seed: SEED, clock: { state: 'frozen', now }, limits: false },
  });
  check(made, { status: 201 });
  const clientToken: string = made.body.token.access_token;
  const real: Stay = { ask, clientToken, token: '', strangersToken: '' };
  await settle(real);
  return { model: life.newModel(TUESDAY_MORNING), real };
}

export async function moveOut({ ask, clientToken }: Stay): Promise<void> {
  check(await ask('deleteWorld', { token: clientToken }), { status: 204 });
}

/** Sets up the world, at the start and after each reset. */
export async function settle(real: Stay): Promise<void> {
  const { ask, clientToken } = real;
  const newPassenger = async () => {
    const made = await ask('createPassenger', { token: clientToken });
    check(made, { status: 201 });
    return made.body.token.access_token as string;
  };
  real.token = await newPassenger();
  real.strangersToken = await newPassenger();
  check(await ask('setPrimeTime', { token: clientToken, body: { ...AT, primetime_percentage: '0%' } }), {
    status: 204,
  });
}

export function check({ status, body, request, answer }: Told, due: Due): void {
  const code: unknown = body?.error;
  if (status === due.status && (due.code === undefined || code === due.code)) return;
  throw new Finding([`got ${outcome(status, code)}, expected ${outcome(due.status, due.code)}`], request, answer);
}

function outcome(status: number, code: unknown): string {
  return code === undefined ? `${status}` : `${status} ${code}`;
}

export function expectThat(is: boolean, what: string, { request, answer }: Told): void {
  if (!is) throw new Finding([what], request, answer);
}

export const REFUSED = (status: number, code: string): Due => ({ status, code });

/** A command that can always run, because errors are checked too. Afterwards it compares the ride with the model. */
export function command(words: string, act: (model: Model, real: Stay) => Promise<void>): Command {
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
export function aboutRide(words: string, act: (ride: RideModel, model: Model, real: Stay) => Promise<void>): Command {
  return {
    ...command(words, (model, real) => act(model.rides.at(-1)!, model, real)),
    check: ({ rides }) => rides.length > 0,
  };
}

async function compare(model: Model, { ask, token }: Stay): Promise<void> {
  const ride = model.rides.at(-1);
  if (ride === undefined) return;
  const told = await ask('getRide', { token, path: { ride_id: ride.id } });
  check(told, { status: 200 });
  const { status, rating, canceled_by, primetime_percentage, price, pickup, dropoff, duration_seconds } = told.body;
  const found = [status, rating ?? null, canceled_by ?? null, primetime_percentage, price !== undefined];
  const due = [ride.status, ride.rating, ride.canceledBy, `${ride.primeTimePercent}%`, ride.isPaid];
  expectThat(found.join() === due.join(), `the ride is ${found.join(', ')}, not ${due.join(', ')}`, told);
  if (status !== 'droppedOff') return;
  const seconds = (Date.parse(dropoff.time) - Date.parse(pickup.time)) / SECOND_MS;
  expectThat(duration_seconds === seconds, `duration_seconds is ${duration_seconds}, not ${seconds}`, told);
}

export function on(ride: RideModel, { token }: Stay, body?: unknown): Question {
  return { token, path: { ride_id: ride.id }, ...(body !== undefined && { body }) };
}
