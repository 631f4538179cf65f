// Counts in Redis like a server, and prints the results.
import { pino } from 'pino';
import { connectRedis } from '../../server/limits/redis/connection.ts';
import { countsInRedis } from '../../server/limits/redis/counts.ts';
import { namesOf } from '../support/redis-names.ts';
import { ATTEMPTS_OF_EACH, BUCKET, CALLS_OF_EACH, NOON, ONCE, PATIENT_MS, SLOWING, THROTTLE } from './shared.ts';

const [url = '', prefix = '', secret = ''] = process.argv.slice(2);
const names = namesOf({ prefix, secret: Buffer.from(secret, 'hex') });
const redis = await connectRedis(url, pino({ level: 'silent' }), PATIENT_MS);
const { countCall, throttles } = countsInRedis(redis, names, () => NOON);
const limited = throttles.throttle('limited', THROTTLE, 1);
const slowed = throttles.slowDown('slowed', SLOWING, 1);

const calls: number[] = [];
for (let made = 0; made < CALLS_OF_EACH; made += ONCE) {
  const counted = await Promise.all(Array.from({ length: ONCE }, () => countCall(BUCKET, 'one')));
  calls.push(...counted.map((each) => each.calls));
}
const passed = { limited: 0, slowed: 0 };
for (let made = 0; made < ATTEMPTS_OF_EACH; made++) {
  if ('takeBack' in (await limited('one'))) passed.limited += 1;
  if ('takeBack' in (await slowed('one'))) passed.slowed += 1;
}
console.log(JSON.stringify({ isAway: redis.isAway(), calls, ...passed }));
await redis.close();
