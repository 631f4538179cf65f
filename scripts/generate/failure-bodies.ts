import { type Contract, type LocatedOperation, nameOf, operationsOf } from '../contract/bundle.ts';

/** Returns the text of generated/failure-bodies.ts: the contract's example of each failure. */
export function failureBodiesModule(contract: Contract): string {
  const bodies = new Map<string, string>();
  const operations = operationsOf(contract).map((located) => `${located.id}: { ${shownOf(located, bodies)} },`);
  return [
    `import type { OperationId } from './server.ts';`,
    BODY_TYPE,
    ...[...bodies].map(([name, text]) => `const ${name}: FailureBody = ${text};`),
    '',
    "/** The contract's example body of each failure, by code. An expired token has no body. */",
    'export const FAILURE_BODIES: Readonly<Record<OperationId, Readonly<Record<string, FailureBody>>>> = {',
    ...operations,
    '};',
    '',
  ].join('\n');
}

/** Maps each code to the name of its first example, and adds the examples to `bodies`. */
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
/** The body of all failures. */
export interface FailureBody {
  readonly error: string;
  readonly error_description: string;
  readonly error_detail: ReadonlyArray<Readonly<Record<string, string>>>;
  readonly documentation_url: string;
  readonly [field: string]: unknown;
}
`;
