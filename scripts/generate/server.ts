import { type Contract, type LocatedOperation, operationsOf, webhooksOf } from '../contract/bundle.ts';
import { fieldsOf } from '../contract/fields.ts';
import { callingFacts, docComment } from './describe.ts';
import { defaultedQueryOf, limitOf, type Route, routeOf } from './route.ts';
import { SERVER_TYPES } from './server-types.ts';

/** The text of generated/server.ts: the route table, and the interface that the server's handlers implement. */
export function serverModule(contract: Contract): string {
  const located = operationsOf(contract);
  const routes = located.map((one): [id: string, Route] => [one.id, routeOf(contract, one)]);
  const defaulted = located.map((one) => [one.id, defaultedQueryOf(one)] as const);
  const scenario = contract.components?.parameters?.scenario;
  const received = webhooksOf(contract).map(({ id }) => id);
  return [
    `import type { operations } from './types.ts';`,
    ROUTE_TYPE,
    '/** Every operation of the contract: where it is, who may call it how often, and how it may end. */',
    'export const OPERATIONS = {',
    ...routes.map(([id, route]) => `${id}: ${JSON.stringify(route)},`),
    `} as const satisfies Record<Exclude<keyof operations, ${union(received)}>, Route>;`,
    '',
    'export type OperationId = keyof typeof OPERATIONS;',
    '',
    '/** The scopes that each kind of token can have. */',
    `export const SCOPES = ${JSON.stringify(scopesOf(contract))} as const;`,
    '',
    '/** What each scope of a user token lets an application do, as a sentence. */',
    `export const SCOPE_SENTENCES = ${JSON.stringify(oauthOf(contract).userToken.flows.authorizationCode.scopes)} as const;`,
    '',
    '/** Those that a token has when none are asked for, as far as it can have them. */',
    `export const DEFAULT_SCOPES = ${JSON.stringify(oauthOf(contract).userToken['x-default-scopes'])} as const;`,
    '',
    '/** The version of the contract. */',
    `export const CONTRACT_VERSION = ${JSON.stringify(contract.info.version)};`,
    '',
    '/** The largest body that is read; a larger one is payload_too_large. */',
    `export const MAX_BODY_BYTES = ${mostBodyBytesOf(contract)};`,
    '',
    '/** How large the head of a request may be, and how long head and whole request may take to arrive. */',
    `export const REQUEST_LIMITS = ${JSON.stringify(requestLimitsOf(contract))} as const;`,
    '',
    '/** The most that one call does to advance a clock: beyond either, it answers and the same call goes on. */',
    `export const ADVANCE_LIMITS = ${JSON.stringify(advanceLimitsOf(located))} as const;`,
    '',
    '/** How many calls of an application the server works on at once, and how many more wait; live and sandboxes apart. */',
    `export const CALLS_AT_ONCE = ${JSON.stringify(needed(contract, 'x-calls-at-once'))} as const;`,
    '',
    '/** The calls that all sandboxes of an application take together, with limits or without. */',
    `export const SANDBOX_LIMIT = ${JSON.stringify(limitOf(needed(contract, 'x-sandbox-limit')))} as const;`,
    '',
    '/** How many sandboxes an application can have beside its first one, and after how many days without a call one is deleted. */',
    `export const WORLD_LIMITS = ${JSON.stringify(worldLimitsOf(contract))} as const;`,
    '',
    '/** After how many days without use a refresh token ends, and for how many seconds the one before a new one still works. */',
    `export const REFRESH_TOKEN_LIMITS = ${JSON.stringify(refreshTokenLimitsOf(contract))} as const;`,
    '',
    '/** The days after its end that a live ride is kept, and the hours that its map is shown. */',
    `export const KEPT = ${JSON.stringify(keptOf(contract))} as const;`,
    '',
    '/** The header by which a sandbox asks for a failure. */',
    `export const SCENARIO = ${JSON.stringify(scenario?.name)};`,
    '',
    '/** Its value that asks for none. */',
    `export const NO_SCENARIO = ${JSON.stringify(scenario?.schema.default)};`,
    '',
    '/** The response headers that a page of another origin may read. */',
    `export const READABLE_HEADERS = ${JSON.stringify(readableHeadersOf(contract))};`,
    '',
    '/** The server that the links in the examples lead to. */',
    `export const EXAMPLE_URL = ${JSON.stringify(contract.servers?.[0]?.url)};`,
    '',
    '/** The failures of a request that is no call of an operation: code to status. */',
    `export const FAILURES: Readonly<Record<string, number>> = ${JSON.stringify(contract.info['x-failures'] ?? {})};`,
    '',
    '/** Query parameters with a default, by operation. */',
    'interface DefaultedQuery {',
    ...defaulted.filter(([, names]) => names.length > 0).map(([id, names]) => `  ${id}: ${union(names)};`),
    '}',
    '',
    '/** Fields of bodies in which null is a value. */',
    `type NullIsValue = ${union(nullIsValueIn(located))};`,
    SERVER_TYPES,
    '/** One handler per operation of the contract. A missing one, or an answer that is not declared, does not compile. */',
    'export interface Handlers<Contexts extends Record<SecurityScheme, unknown>> {',
    ...routes.map(
      ([id, route]) =>
        `${docComment([`${route.summary}.`, '', ...callingFacts(route)])}\n  readonly ${id}: Handler<'${id}', Contexts>;`,
    ),
    '}',
    '',
  ].join('\n');
}

/** The names of the fields that say that nothing stands for leaving them out. */
function nullIsValueIn(located: readonly LocatedOperation[]): string[] {
  const fields = located.flatMap(fieldsOf).filter(({ schema }) => schema['x-absent']?.length === 0);
  return [...new Set(fields.map(({ names }) => names.at(-1)!))];
}

/** What every page can read, and what no page can or should. */
const NOT_EXPOSED = ['Cache-Control', 'Content-Security-Policy', 'Pragma', 'Set-Cookie', 'Vary'];

function readableHeadersOf(contract: Contract): string[] {
  const responses = operationsOf(contract).flatMap(({ operation }) => Object.values(operation.responses));
  const names = new Set(responses.flatMap(({ headers = {} }) => Object.keys(headers)));
  return [...names].filter((name) => !NOT_EXPOSED.includes(name)).sort();
}

/** The part of the OAuth schemes that the server needs. */
interface OAuthSchemes {
  userToken: { 'x-default-scopes': string[]; flows: { authorizationCode: { scopes: Record<string, string> } } };
  clientToken: { flows: { clientCredentials: { scopes: Record<string, string> } } };
}

function oauthOf({ components }: Contract): OAuthSchemes {
  return components?.securitySchemes as unknown as OAuthSchemes;
}

function scopesOf(contract: Contract): Record<keyof OAuthSchemes, string[]> {
  const { userToken, clientToken } = oauthOf(contract);
  return {
    userToken: Object.keys(userToken.flows.authorizationCode.scopes),
    clientToken: Object.keys(clientToken.flows.clientCredentials.scopes),
  };
}

function mostBodyBytesOf({ components }: Contract): number {
  const refusal = components?.responses?.PayloadTooLarge as unknown as Record<string, number> | undefined;
  if (refusal?.['x-max-body-bytes'] === undefined) throw new Error('PayloadTooLarge needs x-max-body-bytes');
  return refusal['x-max-body-bytes'];
}

/** What the document itself states. */
function needed<
  Name extends 'x-request-limits' | 'x-calls-at-once' | 'x-sandbox-limit' | 'x-refresh-tokens' | 'x-kept',
>({ info }: Contract, name: Name): NonNullable<Contract['info'][Name]> {
  const stated = info[name];
  if (stated === undefined) throw new Error(`info needs ${name}`);
  return stated;
}

function requestLimitsOf(contract: Contract): Record<string, number> {
  const limits = needed(contract, 'x-request-limits');
  return {
    headBytes: limits.head_bytes,
    headers: limits.headers,
    headSeconds: limits.head_seconds,
    seconds: limits.seconds,
    unreadSeconds: limits.unread_seconds,
  };
}

function advanceLimitsOf(located: readonly LocatedOperation[]): { steps: number; seconds: number } {
  const limits = located.flatMap(({ operation }) => operation['x-advance-limits'] ?? []);
  if (limits.length !== 1) throw new Error('One operation needs x-advance-limits');
  return limits[0]!;
}

function worldLimitsOf({ info }: Contract): Record<'worlds' | 'days', number> {
  const limits = info['x-world-limits'];
  if (limits === undefined) throw new Error('info needs x-world-limits');
  return limits;
}

function refreshTokenLimitsOf(contract: Contract): Record<string, number> {
  const limits = needed(contract, 'x-refresh-tokens');
  return { unusedDays: limits.unused_days, graceSeconds: limits.grace_seconds };
}

function keptOf(contract: Contract): Record<'rideDays' | 'mapHours', number> {
  const kept = needed(contract, 'x-kept');
  return { rideDays: kept.ride_days, mapHours: kept.map_hours };
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
}

const ROUTE_TYPE = `
/** What the contract says of an operation beyond its types. */
export interface Route {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** As in the contract: \`{name}\` for a path parameter. */
  readonly path: string;
  /** As Express takes it: \`:name\`. */
  readonly expressPath: string;
  readonly tag: string;
  readonly summary: string;
  /** Any one of these lets a caller in; empty where no credentials are needed. */
  readonly security: ReadonlyArray<{ readonly scheme: string; readonly scopes: readonly string[] }>;
  /** Calls allowed in a window; operations with the same bucket share one count. */
  readonly rateLimit: { readonly bucket: string; readonly limit: number; readonly windowSeconds: number } | null;
  readonly requestMediaTypes: readonly string[];
  /** Deprecated query parameters and body properties: name to the instant since which they are, ISO 8601. */
  readonly deprecatedFields: Readonly<Record<string, string | null>>;
  readonly successStatus: number;
  /** Null where the answer has no body. */
  readonly successMediaType: string | null;
  readonly statuses: readonly number[];
  /** The codes with which a browser is sent back to an application. */
  readonly redirectErrors: readonly string[];
  /** Error code to status. */
  readonly failures: Readonly<Record<string, number>>;
  /** Status to the seconds that the contract shows in \`Retry-After\`. */
  readonly retryAfterSeconds: Readonly<Record<number, number>>;
  /** Whether caches must not keep its success, and so none of its answers (RFC 6749, section 5.1). */
  readonly isNeverStored: boolean;
}
`;
