import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { RawCall } from '../../support/raw-call.ts';
import { REFUSALS } from './refusals.ts';
import type { Stage } from './refusals-stage.ts';
import type { Recipe } from './shared-recipes.ts';

/** An operation, and a code with which it refuses. */
export interface Pair {
  readonly operation: OperationId;
  readonly code: string;
  readonly status: number;
}

const RECIPES: Readonly<Record<OperationId, Readonly<Record<string, Recipe>>>> = REFUSALS;

/** One pair for each answer that an operation refuses with: its first code of that status. @param leftOut codes that do not count */
export function pairOfEachAnswer(leftOut: readonly string[] = []): Pair[] {
  return (Object.keys(OPERATIONS) as OperationId[]).flatMap((operation) => {
    const pairs = Object.entries(OPERATIONS[operation].failures)
      .filter(([code]) => !leftOut.includes(code))
      .map(([code, status]): Pair => ({ operation, code, status }));
    return pairs.filter(({ status }, i) => pairs.findIndex((other) => other.status === status) === i);
  });
}

/** Brings a refusal about. @param send is given where to send what */
export async function refused(
  stage: Stage,
  { operation, code }: Pair,
  send: (baseUrl: string, call: RawCall) => Promise<Response>,
): Promise<Response> {
  const { to = stage.server.baseUrl, during, detail, extra, ...call } = await RECIPES[operation][code]!(stage);
  const sent = () => send(to, call);
  return during?.(sent) ?? sent();
}
