import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createClient } from '@redis/client';
import { type Logger, pino } from 'pino';
import { onTestFinished, test } from 'vitest';
import type { ScriptClock } from '../../server/limits/redis/clock.ts';
import { connectRedis, type Redis } from '../../server/limits/redis/connection.ts';
import { countsInRedis } from '../../server/limits/redis/counts.ts';
import { namesBy } from '../../server/limits/redis/names.ts';
import type { Slowing } from '../../server/limits/slow-down.ts';
import type { Limit } from '../../server/limits/throttle.ts';

export const NOON = Date.UTC(2026, 4, 12, 12);
/** Longer than a response takes on a busy machine. */
const PATIENT_MS = 20_000;

/** Longer than any test. */
const windowSeconds = 3600;
const keyOf = (key: string) => key;
export const BUCKET = { bucket: 'shared', windowSeconds } as const;
export const LIMITED = 40;
export const FREE = 20;
export const THROTTLE: readonly Limit<string>[] = [{ attempts: LIMITED, windowSeconds, keyOf }];
export const SLOWING: Slowing<string> = { paces: [{ attempts: FREE, windowSeconds, keyOf }] };

/** The Redis of the tests. */
export const redisUrl = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';

/** Like `test`, but skips with a message if Redis cannot be reached. In CI, Redis is required. */
export const testWithRedis: typeof test = (await isReachable()) ? test : skipped();

function skipped(): typeof test {
  const message = `No Redis at ${new URL(redisUrl).host}: set REDIS_URL, or apt-get install redis-server`;
  if (process.env.CI) throw new Error(message);
  console.warn(`Tests are skipped. ${message}`);
  return test.skip as typeof test;
}

async function isReachable(): Promise<boolean> {
  const { hostname, port } = new URL(redisUrl);
  const socket = connect(Number(port || 6379), hostname.replace(/^\[|\]$/g, ''));
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}

/** Names the keys in Redis that servers on one database share. */
export interface Place {
  readonly prefix: string;
  readonly secret: Buffer;
  /** The keys in Redis, each with its value as text and its remaining time in milliseconds. */
  kept(): Promise<readonly { readonly name: string; readonly value: string; readonly ttlMs: number }[]>;
}

/** A place for the counts of a test. Its keys are deleted at the end of the test. */
export async function newPlace(): Promise<Place> {
  const prefix = `ridehail-test:${randomUUID()}:`;
  const client = await createClient({ url: redisUrl }).connect();
  const names = async () => {
    const found: string[] = [];
    for await (const some of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1000 })) found.push(...some);
    return found;
  };
  onTestFinished(async () => {
    for (const name of await names()) await client.del(name);
    await client.close();
  });
  const textOf = async (name: string) =>
    (await client.type(name)) === 'hash' ? JSON.stringify(await client.hGetAll(name)) : String(await client.get(name));
  const kept = async () =>
    Promise.all(
      (await names()).map(async (name) => ({ name, value: await textOf(name), ttlMs: await client.pTTL(name) })),
    );
  return { prefix, secret: randomBytes(32), kept };
}

interface Options {
  readonly url?: string;
  readonly clock?: ScriptClock;
  readonly logger?: Logger;
  /** The response timeout; long by default. */
  readonly answerMs?: number;
}

/** The counters of a server. They close at the end of the test. */
export async function countsAt(
  place: Place,
  { url = redisUrl, clock, logger = pino({ level: 'silent' }), answerMs = PATIENT_MS }: Options = {},
): Promise<ReturnType<typeof countsInRedis> & { readonly redis: Redis }> {
  const redis = await connectRedis(url, logger, answerMs);
  onTestFinished(redis.close);
  const signingKeys = { signing: () => ({ number: 1, derived: () => place.secret }) };
  return { redis, ...countsInRedis(redis, namesBy(signingKeys, place.prefix), clock) };
}

/** A logger that records its lines. */
export function keepingLogger(): { readonly logger: Logger; readonly lines: { msg: string; level: number }[] } {
  const lines: { msg: string; level: number }[] = [];
  return { logger: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }), lines };
}
