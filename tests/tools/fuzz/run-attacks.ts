import fc from 'fast-check';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { ContractGuard } from '../../../server/http/contract-guard.ts';
import type { Engine } from '../../../server/store/engine/open.ts';
import { everythingStored } from '../../support/everything-stored.ts';
import { OPERATION_IDS } from '../../support/operations.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { aftermathOf } from './aftermath.ts';
import { type Ask, askOver, Finding, told } from './ask.ts';
import type { Attack, Draft } from './attack.ts';
import { attacksOn } from './attacks.ts';
import { type Cast, castOn } from './cast.ts';
import { costProblems, costsLittle, measured } from './cost.ts';
import { isSuccess, misjudgments } from './judge.ts';
import { brokenPromises } from './promises.ts';
import { type Line, openLine, requestOf } from './send.ts';
import { Tally } from './tally.ts';

/** Attacks on each operation in a round. */
const ATTACKS_EACH = 25;
export const ATTACKS = ATTACKS_EACH * OPERATION_IDS.length;

/** Comparing the whole database takes longer than a call. */
const REFUSALS_PER_COMPARISON = 20;

/** A server without rate limits, and the clients that attack it. */
export interface Range {
  readonly server: TestServer;
  readonly line: Line;
  readonly cast: Cast;
  readonly ask: Ask;
  readonly tally: Tally;
  /** Whether high CPU time is a finding. */
  readonly isMeasured: boolean;
  close(): Promise<void>;
}

interface RangeOptions {
  /** The tally of an earlier range, to continue it. */
  readonly tally?: Tally;
  /** Whether to measure CPU time instead of recording what tests see of the contract. */
  readonly isMeasured?: boolean;
  /** Default: the guard of all tests. */
  readonly contractGuard?: ContractGuard;
}

export async function openRange(
  engine: Engine,
  { tally = new Tally(), isMeasured = false, contractGuard }: RangeOptions = {},
): Promise<Range> {
  const guarded = contractGuard && { contractGuard };
  const server = await startTestServer(engine, { rateLimitMultiplier: 1e6, isWatched: !isMeasured, ...guarded });
  const line = openLine(server.baseUrl);
  return {
    server,
    line,
    tally,
    isMeasured,
    cast: castOn(server),
    ask: askOver(line, tally.count),
    close: async () => {
      await line.close();
      await server.close();
    },
  };
}

/** Attacks every operation. Resolves with a description of the first finding, or null. @param attacksOf what it sends */
export async function roundOfAttacks(range: Range, seed: number, attacksOf = attacksOn): Promise<string | null> {
  for (const operation of OPERATION_IDS) {
    const found = await attackOperation(range, operation, seed, ATTACKS_EACH, attacksOf);
    if (found !== null) return found;
  }
  return null;
}

/** Attacks an operation. Resolves with a description of the finding, or null. */
export async function attackOperation(
  range: Range,
  operation: OperationId,
  seed: number,
  runs: number,
  attacksOf = attacksOn,
): Promise<string | null> {
  let isShrinking = false;
  let calls = 0;
  const property = fc.asyncProperty(attacksOf(operation), async (attack) => {
    calls += 1;
    const isCompared = isShrinking || calls % REFUSALS_PER_COMPARISON === 0;
    await attackOnce(range, attack, isCompared).catch((error: unknown) => {
      isShrinking = true;
      throw error;
    });
  });
  const details = await fc.check(property, { seed, numRuns: runs });
  if (!details.failed) return null;
  const [attack] = details.counterexample ?? [];
  if (attack === undefined) throw details.errorInstance ?? new Error('fast-check failed without a counterexample.');
  const { who } = attack.draft;
  return told({ seed, what: operation, error: details.errorInstance, example: JSON.stringify(attack), who });
}

async function attackOnce(range: Range, attack: Attack, isCompared: boolean): Promise<void> {
  const { cast, line, tally, server, ask, isMeasured } = range;
  const { draft } = attack;
  const room = await cast.roomOf(draft);
  const request = await requestOf(draft, cast, room);
  const before = isCompared ? await everythingStored(server.store) : null;
  const { answer, cpuMs } = await measured(line, request);
  tally.count(draft.operation, answer.status);
  const fail = (problems: readonly string[]) => {
    if (problems.length === 0) return;
    cast.leave(draft);
    throw new Finding(problems, request, answer);
  };
  fail([...misjudgments(attack, answer), ...brokenPromises(draft.operation, request, answer)]);
  if (answer.status >= 400 && before) fail(changesIn(before, await everythingStored(server.store)));
  if (answer.status < 400 && isSuccess(draft, answer)) {
    const problems = await aftermathOf({ draft, request, answer, room, ask });
    if (leavesItsRoom(draft)) cast.leave(draft);
    fail(problems);
  }
  // last, because it sends the request again
  if (isMeasured && costsLittle(draft.operation, answer))
    fail(await costProblems(() => measured(line, request), cpuMs));
}

/** Whether a successful call changed the room. */
function leavesItsRoom({ operation, stage }: Draft): boolean {
  const { method, path } = OPERATIONS[operation];
  if (operation === 'deleteWorld' || operation === 'resetWorld') return true;
  return method !== 'get' && path.includes('rides') && stage !== 'paid';
}

type Stored = Awaited<ReturnType<typeof everythingStored>>;

function changesIn(before: Stored, after: Stored): string[] {
  const changed = Object.keys(after).filter((table) => before[table]?.join('\n') !== after[table]!.join('\n'));
  return changed.map((table) => `the refused call changed the table ${table}`);
}
