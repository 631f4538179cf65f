import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { everyEngine } from '../support/database.ts';
import { rounds, run } from '../support/run.ts';
import { type ChaosOptions, runChaos } from '../tools/chaos/run.ts';
import { judge } from '../tools/chaos/verdict.ts';

const KILLS = rounds({ usually: 2, atLength: 12 });
/** Only the long run has a freeze, because it takes longer than every lease. */
const FREEZES = rounds({ usually: 0, atLength: 1 });
/** Each failure can delay the end by the timeout of an attempt. */
const MOST_FAILURES = rounds({ usually: 0, atLength: 3 });

/** Strikes servers, and expects every promise to be kept. @returns the promises that the run did not test */
async function untestedBy(engine: Engine, options: Pick<ChaosOptions, 'instances' | 'seed' | 'kills' | 'freezes'>) {
  const database = await newDatabase(engine);
  onTestFinished(database.drop);
  const evidence = await runChaos({
    ...{ databaseUrl: database.url, ...options, report: () => {} },
    ...{ rollings: 1, mostFailures: MOST_FAILURES, longestPauseMs: 4 * SECOND_MS },
    signal: AbortSignal.timeout(15 * MINUTE_MS),
  });
  const { kept } = judge(evidence);
  expect(kept.flatMap(({ promise, broken }) => broken.map((problem) => `${promise}: ${problem}`))).toEqual([]);
  const { instances, kills, freezes } = options;
  expect(evidence.strikes).toHaveLength(kills + freezes + instances);
  return kept.filter(({ checked }) => checked === 0).map(({ promise }) => promise);
}

test.runIf(everyEngine.includes('postgres'))(
  'two servers on one database keep every promise while they are killed and restarted in turn',
  async () => {
    // with this seed, two kills hit both servers
    const untested = await untestedBy('postgres', { instances: 2, seed: 'four', kills: KILLS, freezes: FREEZES });
    expect(untested.filter((promise) => !/frozen/.test(promise))).toEqual([]);
  },
  16 * MINUTE_MS,
);

test.runIf(run === 'long').each(everyEngine)(
  'on %s, a server that is killed repeatedly loses no event and invents none',
  async (engine) => {
    const untested = await untestedBy(engine, { instances: 1, seed: 'kills', kills: 25, freezes: 0 });
    expect(untested.filter((promise) => !/frozen|each instance/.test(promise))).toEqual([]);
  },
  16 * MINUTE_MS,
);
