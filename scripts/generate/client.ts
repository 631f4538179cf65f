import { type Contract, type LocatedOperation, operationsOf } from '../contract/bundle.ts';
import { callingFacts, docComment, firstParagraph } from './describe.ts';
import { routeOf } from './route.ts';

/** Returns the text of generated/client.ts: one documented method per operation, and the paths of the pages. */
export function clientModule(contract: Contract): string {
  const all = operationsOf(contract);
  const pages = all.filter((located) => isPage(contract, located));
  const calls = all.filter((located) => !isPage(contract, located));
  return [
    IMPORTS,
    '/** The paths of the operations that a person opens in a browser. */',
    'export const PAGES = {',
    ...pages.map(({ path, id }) => `  ${id}: '${path}',`),
    '} as const;',
    '/** How often to repeat a call while you watch what it returns. */',
    'export const POLL_SECONDS = {',
    ...calls.flatMap(({ id, operation }) =>
      operation['x-poll-seconds'] === undefined ? [] : `  ${id}: ${operation['x-poll-seconds']},`,
    ),
    '} as const;',
    HEAD,
    ...calls.map((located) => methodOf(contract, located)),
    '  };',
    '}',
    '',
  ].join('\n');
}

function isPage(contract: Contract, located: LocatedOperation): boolean {
  return routeOf(contract, located).successMediaType === 'text/html';
}

function methodOf(contract: Contract, located: LocatedOperation): string {
  const { id, method, path, operation } = located;
  const facts = callingFacts(routeOf(contract, located));
  const init = `init${needsInit(located) ? '' : '?'}: FetchOptions<paths['${path}']['${method}']>`;
  return [
    docComment([`${operation.summary}.`, '', firstParagraph(operation), '', ...facts]),
    `  ${id}: (${init}): Answer<'${path}', '${method}'> => client.${method.toUpperCase()}('${path}', init),`,
  ].join('\n');
}

/** Whether a parameter or the body is required. */
function needsInit({ parameters, body }: LocatedOperation): boolean {
  return Boolean(body?.required) || parameters.some((parameter) => parameter.required);
}

const IMPORTS = `import type { Client, FetchOptions, FetchResponse } from 'openapi-fetch';
import type { paths } from './types.ts';
`;

const HEAD = `
/** What openapi-fetch makes of the responses of an operation. */
type Answer<Path extends keyof paths, Method extends keyof paths[Path]> = Promise<
  FetchResponse<paths[Path][Method] & object, object, 'application/json'>
>;

/** The methods that \`bindOperations\` returns, one per operation except for pages. */
export type BoundOperations = ReturnType<typeof bindOperations>;

/**
 * One method per operation, with types and documentation from the contract. A call resolves to
 * \`{ data, error, response }\`: \`data\` if it succeeds, otherwise \`error\`, the failure body. It rejects only if there is
 * no response.
 */
export function bindOperations(client: Client<paths>) {
  return {`;
