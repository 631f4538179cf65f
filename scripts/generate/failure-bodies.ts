import { type Contract, type LocatedOperation, nameOf, operationsOf } from '../contract/bundle.ts';

/** The text of generated/failure-bodies.ts: the contract's example of each failure. */
export function failureBodiesModule(contract: Contract): string {
  const bodies = new Map<string, string>();
  const operations = operationsOf(contract).map((located) => `${located.id}: { ${shownOf(located, bodies)} },`);
  return [
    `import type { OperationId } from './server.ts';`,
    BODY_TYPE,
    ...[...bodies].map(([name, text]) => `const ${name}: FailureBody = ${text};`),
    '',
    '/** The body that the contract shows of each failure, by code. An expired token has none. */',
    'export const FAILURE_BODIES: Readonly<Record<OperationId, Readonly<Record<string, FailureBody>>>> = {',
    ...operations,
    '};',
    '',
  ].join('\n');
}

/** Code to the name of its example. Adds the examples to `bodies`. Only the first example of a code counts. */
function shownOf({ operation }: LocatedOperation, bodies: Map<string, string>): string {
  const shown = new Map<string, string>();
  for (const [status, { content }] of Object.entries(operation.responses)) {
    for (const example of Object.values(content?.['application/json']?.examples ?? {})) {
      const { error } = example.value as { readonly error: string };
      if (Number(status) < 400 || shown.has(error)) continue;
      const text = JSON.stringify(example.value);
      const name = nameOf(example);
      if (name !== undefined) bodies.set(name, text);
      shown.set(error, name ?? text);
    }
  }
  return [...shown].map(([code, name]) => (code === name ? code : `${code}: ${name}`)).join(', ');
}

const BODY_TYPE = `
/** The one body of failures. */
export interface FailureBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_detail: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly [field: string]: unknown;
}
`;
