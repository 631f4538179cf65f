import { randomInt } from 'node:crypto';
import { commandLine, Misused, oneOf, runScript, wholeNumber } from '../../server/cli/command-line.ts';
import { MINUTE_MS, SECOND_MS } from '../../server/domain/time.ts';
import type { Engine } from '../../server/store/engine/open.ts';
import { longAttacksOn } from './fuzz/attacks.ts';
import { MOST_CPU_MS } from './fuzz/cost.ts';
import { roundOfPipelines } from './fuzz/pipelines.ts';
import { openRange, roundOfAttacks } from './fuzz/run-attacks.ts';
import { roundOfSequences } from './fuzz/run-sequences.ts';
import { Tally } from './fuzz/tally.ts';

const HELP = `Generates requests from the contract, sends them to a temporary server, and checks every response against the contract. It sends valid and
invalid requests, requests that are almost as large as allowed, sequences of calls with a known result, and pipelined requests whose
responses it reads late. A request also fails if it takes more than ${MOST_CPU_MS} ms of CPU time three times in a row. The command stops at the
first failure with exit code 1. It prints the seed, the smallest request or sequence that fails, and a curl command that repeats the
request on a development server.

  npm run fuzz -- [options]

  --minutes N        starts no new round after this time (default: 1)
  --seed N           the seed of the first round; each later round adds 1 (default: random)
  --engine ENGINE    sqlite or postgres (needs TEST_DATABASE_URL) (default: sqlite)
  --help             prints this text`;

await runScript(async () => {
  const { values } = await commandLine(HELP, {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    engine: { type: 'string', default: 'sqlite' },
  });
  const minutes = Number(values.minutes);
  if (!(minutes >= 0)) throw new Misused('--minutes must be a number of at least 0.');
  const seed = wholeNumber('--seed', values.seed);
  await fuzz(oneOf('--engine', values.engine, ['sqlite', 'postgres']), seed, minutes * MINUTE_MS);
});

async function fuzz(engine: Engine, firstSeed: number, forMs: number): Promise<void> {
  const start = performance.now();
  const elapsedMs = () => performance.now() - start;
  const tally = new Tally();
  let seed = firstSeed;
  let found: string | null = null;
  do {
    found = await roundOf(engine, seed, tally);
    console.log(
      `seed ${seed}: ${tally.total} requests, ${Math.round((tally.total * SECOND_MS) / elapsedMs())} per second`,
    );
    seed += 1;
  } while (found === null && elapsedMs() < forMs);
  for (const line of tally.lines()) console.log(`  ${line}`);
  if (found === null) return console.log('Every response matches the contract.');
  console.error(found);
  process.exitCode = 1;
}

/** Has a server of its own, because one round after the other would make more sandboxes than an application may have. */
async function roundOf(engine: Engine, seed: number, tally: Tally): Promise<string | null> {
  const range = await openRange(engine, { tally, isMeasured: true });
  try {
    return (
      (await roundOfAttacks(range, seed)) ??
      (await roundOfAttacks(range, seed, longAttacksOn)) ??
      (await roundOfSequences(range, seed)) ??
      (await roundOfPipelines(range, seed))
    );
  } finally {
    await range.close();
  }
}
