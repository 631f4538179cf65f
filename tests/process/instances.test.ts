import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import { everyEngine } from '../support/database.ts';
import { rounds } from '../support/run.ts';
import { runInstances } from '../tools/chaos/instances/run.ts';
import { judgeInstances } from '../tools/chaos/instances/verdict.ts';

const KILLS = rounds({ usually: 2, atLength: 12 });
/** Only the long run has a freeze, because it takes longer than every lease. */
const FREEZES = rounds({ usually: 0, atLength: 1 });
/** Each failure can delay the end by the timeout of an attempt. */
const MOST_FAILURES = rounds({ usually: 0, atLength: 3 });

test.runIf(everyEngine.includes('postgres'))(
  'two servers on one database keep every promise while they are killed and restarted in turn',
  async () => {
    const database = await newDatabase('postgres');
    onTestFinished(database.drop);
    const evidence = await runInstances({
      // with this seed, two kills hit both servers
      ...{ databaseUrl: database.url, instances: 2, seed: 'four', report: () => {} },
      ...{ kills: KILLS, freezes: FREEZES, rollings: 1, mostFailures: MOST_FAILURES, longestPauseMs: SECOND_MS },
      signal: AbortSignal.timeout(15 * MINUTE_MS),
    });
    const { kept } = judgeInstances(evidence);
    expect(kept.flatMap(({ promise, broken }) => broken.map((problem) => `${promise}: ${problem}`))).toEqual([]);
    // the run was long enough to test each promise, except for those that only a freeze tests
    const untested = kept.filter(({ checked }) => checked === 0).map(({ promise }) => promise);
    expect(untested.filter((promise) => !/frozen/.test(promise))).toEqual([]);
    expect(evidence.strikes).toHaveLength(KILLS + FREEZES + 2);
  },
  16 * MINUTE_MS,
);
