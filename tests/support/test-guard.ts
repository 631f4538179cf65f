import { isDeepStrictEqual } from 'node:util';
import { pino } from 'pino';
import { chooseGuard, compiledGuard } from '../../server/http/compiled-guard.ts';
import type { ContractGuard, ReadRequest, Violation } from '../../server/http/contract-guard.ts';
import { compiledValidators } from '../../server/validators.ts';
import { run } from './run.ts';

/** What a server without compiled validators logs. */
export const stockLog: string[] = [];
const logger = pino({}, { write: (line: string) => void stockLog.push(line) });
let stock: Promise<ContractGuard> | undefined;

/** The guard of the servers in tests. In the run `stock`, they judge with express-openapi-validator's own middleware. */
export function testGuard(): Promise<ContractGuard> {
  return run === 'stock' ? comparedGuard() : Promise.resolve(theCompiledGuard());
}

export function theCompiledGuard(): ContractGuard {
  const validators = compiledValidators();
  if (validators === null) throw new Error('dist/validators is not current: run npm run validators');
  return compiledGuard(validators);
}

/**
 * Judges with express-openapi-validator's own middleware, and throws an Error if the compiled guard judges differently or
 * converts a request differently.
 */
export async function comparedGuard(compiled = theCompiledGuard()): Promise<ContractGuard> {
  stock ??= chooseGuard(logger, null);
  const own = await stock;
  return {
    violationsIn: async (operation, request) => {
      const copy: ReadRequest = { ...structuredClone({ ...request, headers: null }), headers: request.headers };
      const expected = await own.violationsIn(operation, request);
      const found = await compiled.violationsIn(operation, copy);
      assertSame(operation, facts(found), facts(expected));
      if (found.length === 0) assertSame(operation, converted(copy), converted(request));
      return expected;
    },
    problemWith: async (operation, response) => {
      const expected = await own.problemWith(operation, response);
      const found = await compiled.problemWith(operation, response);
      assertSame(`${operation} ${response.status}`, found === null, expected === null);
      return expected;
    },
  };
}

function facts(violations: readonly Violation[]): string[] {
  return violations.map(({ path, errorCode }) => `${path} ${errorCode?.split('.')[0]}`);
}

function converted({ params, query, body }: ReadRequest): unknown {
  return { params: { ...params }, query: { ...query }, body };
}

function assertSame(what: string, compiled: unknown, stock: unknown): void {
  if (isDeepStrictEqual(compiled, stock)) return;
  throw new Error(`The guards differ on ${what}: compiled ${JSON.stringify(compiled)}, stock ${JSON.stringify(stock)}`);
}
