import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { RawCall } from '../../support/raw-call.ts';
import { REFUSALS } from './refusals.ts';
import type { Stage } from './refusals-stage.ts';
import { COMMON, type Recipe } from './shared-recipes.ts';

export interface Pair {
  readonly operation: OperationId;
  readonly code: string;
  readonly status: number;
}

export const PAIRS: readonly Pair[] = Object.entries(OPERATIONS).flatMap(([operation, { failures }]) =>
  Object.entries(failures).map(([code, status]) => ({ operation: operation as OperationId, code, status })),
);

/** Returns what sets up a condition and returns the call that fails with the code. */
export function recipeFor({ operation, code }: Pick<Pair, 'operation' | 'code'>) {
  const recipes: Readonly<Partial<Record<string, Recipe>>> = { ...COMMON, ...REFUSALS[operation] };
  const recipe = recipes[code];
  if (recipe === undefined) throw new Error(`No recipe for the code ${code} of ${operation}.`);
  return (stage: Stage) => recipe(stage, operation);
}

/** Makes an operation fail with a code. @param send gets the base URL and the call */
export async function refused(
  stage: Stage,
  { operation, code }: Pair,
  send: (baseUrl: string, call: RawCall) => Promise<Response>,
): Promise<Response> {
  const { to = stage.server.baseUrl, during, detail, extra, ...call } = await recipeFor({ operation, code })(stage);
  const sent = () => send(to, call);
  return during?.(sent) ?? sent();
}
