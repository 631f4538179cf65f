import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { SECOND_MS } from '../../server/domain/time.ts';
import { everyEngine } from '../support/database.ts';
import { run } from '../support/run.ts';
import { runChaos } from '../tools/chaos/run.ts';
import { judge } from '../tools/chaos/verdict.ts';

const KILLS = 25;

// in the full run, instances.test.ts kills servers, and its verdict is stricter
test.runIf(run === 'long').each(everyEngine)(
  'on %s, a server that is killed repeatedly loses no event and invents none',
  async (engine) => {
    const database = await newDatabase(engine);
    onTestFinished(database.drop);
    const evidence = await runChaos({
      databaseUrl: database.url,
      kills: KILLS,
      seed: 'kills',
      longestLifeMs: 4 * SECOND_MS,
      mostFailures: 3,
      report: () => {},
    });
    const { problems, figures } = judge(evidence);
    expect(problems).toEqual([]);
    // the run was long enough for something to go wrong
    expect(evidence.starts.length).toBeGreaterThan(KILLS);
    expect(figures['events acknowledged']).toBeGreaterThan(KILLS);
  },
  900_000,
);
