import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { newPlace, redisUrl, testWithRedis } from '../support/redis.ts';
import { CALLS_OF_EACH, FREE, LIMITED } from './shared.ts';

const PROCESSES = 2;
const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url));

interface Told {
  readonly isAway: boolean;
  readonly calls: readonly number[];
  readonly limited: number;
  readonly slowed: number;
}

testWithRedis(
  'two processes count thousands of calls exactly, and let no more attempts pass than one process',
  async () => {
    const { prefix, secret } = await newPlace();
    const child = async (): Promise<Told> => {
      const args = ['--import', 'tsx', CHILD, redisUrl, prefix, secret.toString('hex')];
      return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
    };
    const told = await Promise.all(Array.from({ length: PROCESSES }, child));
    expect(told.map(({ isAway }) => isAway)).toEqual(Array(PROCESSES).fill(false));
    const calls = told.flatMap((each) => each.calls).sort((one, other) => one - other);
    expect(calls).toEqual(Array.from({ length: PROCESSES * CALLS_OF_EACH }, (_, index) => index + 1));
    const sum = (of: 'limited' | 'slowed') => told.reduce((total, each) => total + each[of], 0);
    expect({ limited: sum('limited'), slowed: sum('slowed') }).toEqual({ limited: LIMITED, slowed: FREE });
  },
);
