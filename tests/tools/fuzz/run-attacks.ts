import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { ContractGuard } from '../../../server/http/contract-guard.ts';
import type { Engine } from '../../../server/store/engine/open.ts';
import { OPERATION_IDS } from '../../support/operations.ts';
import { startTestServer } from '../../support/server.ts';
import { askOver, Finding, findingAmong } from './ask.ts';
import type { Attack, Draft } from './attack.ts';
import { attacksOn } from './attacks.ts';
import { castOn } from './cast.ts';
import { costProblems, costsLittle, measured } from './cost.ts';
import { misjudgments } from './judge.ts';
import { brokenPromises } from './promises.ts';
import { openLine, requestOf } from './send.ts';
import { Tally } from './tally.ts';

/** Attacks on each operation in a round. */
const ATTACKS_EACH = 25;
export const ATTACKS = ATTACKS_EACH * OPERATION_IDS.length;

export type Range = Awaited<ReturnType<typeof openRange>>;

interface RangeOptions {
  /** The tally of an earlier range, to continue it. */
  readonly tally?: Tally;
  /** Whether high CPU time is a finding. If so, nothing records what tests see of the contract. */
  readonly isMeasured?: boolean;
  /** Default: the guard of all tests. */
  readonly contractGuard?: ContractGuard;
}

/** A server without rate limits, and the clients that attack it. */
export async function openRange(
  engine: Engine,
  { tally = new Tally(), isMeasured = false, contractGuard }: RangeOptions = {},
) {
  const guarded = contractGuard && { contractGuard };
  const server = await startTestServer(engine, { rateLimitMultiplier: 1e6, isWatched: !isMeasured, ...guarded });
  const line = openLine(server.baseUrl);
  return {
    ...{ server, line, tally, isMeasured, cast: castOn(server), ask: askOver(line, tally.count) },
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
export function attackOperation(
  range: Range,
  operation: OperationId,
  seed: number,
  runs: number,
  attacksOf = attacksOn,
): Promise<string | null> {
  return findingAmong(operation, attacksOf(operation), { seed, numRuns: runs }, (attack) => attackOnce(range, attack));
}

async function attackOnce({ cast, line, tally, isMeasured }: Range, attack: Attack): Promise<void> {
  const { draft } = attack;
  const { operation, who } = draft;
  const request = await requestOf(draft, cast, await cast.roomOf(draft));
  const { answer, cpuMs } = await measured(line, request);
  tally.count(operation, answer.status);
  const problems = [...misjudgments(attack, answer), ...brokenPromises(operation, request, answer)];
  // last, because it sends the request again
  if (problems.length === 0 && isMeasured && costsLittle(operation, answer))
    problems.push(...(await costProblems(() => measured(line, request), cpuMs)));
  if (problems.length > 0 || (answer.status < 400 && changesItsRoom(draft))) cast.leave(draft);
  if (problems.length > 0) throw new Finding(problems, request, who);
}

function changesItsRoom({ operation, stage }: Draft): boolean {
  const { method, path } = OPERATIONS[operation];
  if (operation === 'deleteWorld' || operation === 'resetWorld' || operation === 'requestRide') return true;
  return method !== 'get' && path.includes('rides') && stage !== 'paid';
}
