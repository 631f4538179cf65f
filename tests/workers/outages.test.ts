import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newOutages } from '../../server/workers/outages.ts';

test('each outage is told of once, and so is its end, whoever notices', async () => {
  const logged: string[] = [];
  const outages = newOutages(pino({}, { write: (line: string) => void logged.push(JSON.parse(line).msg) }));
  const away = () => outages.unlessAway(Promise.reject(new Error('away')));
  const there = () => outages.unlessAway(Promise.resolve('there'));
  const answers = [await there(), await away(), await away(), await there(), await there(), await away()];
  expect(answers).toEqual(['there', undefined, undefined, 'there', 'there', undefined]);
  expect(logged).toEqual(['webhooks wait for the database', 'webhooks go on', 'webhooks wait for the database']);
});
