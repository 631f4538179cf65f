import { type Contract, type LocatedOperation, operationsOf, webhooksOf } from '../contract/bundle.ts';
import { fieldsOf } from '../contract/fields.ts';
import { callingFacts, docComment } from './describe.ts';
import { defaultedQueryOf, limitOf, type Route, routeOf } from './route.ts';
import { SERVER_TYPES } from './server-types.ts';

/** Returns the text of generated/server.ts: the route table, and the interface that the server's handlers implement. */
export function serverModule(contract: Contract): string {
  const located = operationsOf(contract);
  const routes = located.map((one): [id: string, Route] => [one.id, routeOf(contract, one)]);
  const defaulted = located.map((one) => [one.id, defaultedQueryOf(one)] as const);
  const scenario = contract.components?.parameters?.scenario;
  const received = webhooksOf(contract).map(({ id }) => id);
  return [
    `import type { operations } from './types.ts';`,
    ROUTE_TYPE,
    '/** Every operation of the contract: its path, security, limit and possible responses. */',
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
    '/** The scopes of a token if the request names none, limited to the scopes that it can have. */',
    `export const DEFAULT_SCOPES = ${JSON.stringify(oauthOf(contract).userToken['x-default-scopes'])} as const;`,
    '',
    '/** The version of the contract. */',
    `export const CONTRACT_VERSION = ${JSON.stringify(contract.info.version)};`,
    '',
    '/** Body of a request. @beyond 413 `payload_too_large` @heldBy tests/http/bodies.test.ts */',
    `export const MAX_BODY_BYTES = ${mostBodyBytesOf(contract)};`,
    '',
    '/** Head of a request, and times for it, the whole request and a response that is not read. @beyond 431 `headers_too_large` or 408 `request_timeout`, and the connection closes */',
    `export const REQUEST_LIMITS = ${JSON.stringify(requestLimitsOf(contract))} as const;`,
    '',
    '/** Work of one call that advances a clock. @beyond it ends after its current step, and repeating it continues */',
    `export const ADVANCE_LIMITS = ${JSON.stringify(advanceLimitsOf(located))} as const;`,
    '',
    '/** How many calls of an application run at once and how many more wait. Live and sandbox calls count separately. */',
    `export const CALLS_AT_ONCE = ${JSON.stringify(needed(contract, 'x-calls-at-once'))} as const;`,
    '',
    '/** Calls of an application in all its sandboxes together. @beyond 429 with `Retry-After` */',
    `export const SANDBOX_LIMIT = ${JSON.stringify(limitOf(needed(contract, 'x-sandbox-limit')))} as const;`,
    '',
    '/** Sandboxes besides the default one, days without a call, and what all sandboxes of an application contain. @beyond 409 `too_many_worlds` and so on; an unused one is deleted, unless webhooks are still to be sent @heldBy tests/sandbox/room.test.ts */',
    `export const WORLD_LIMITS = ${JSON.stringify(needed(contract, 'x-world-limits'))} as const;`,
    '',
    '/** Events that one resend of a range looks at. @beyond it ends with the last one of them @heldBy tests/workers/resends.test.ts */',
    `export const RESEND_LIMITS = ${JSON.stringify(needed(contract, 'x-resend-limits'))} as const;`,
    '',
    '/** Access tokens of a passenger that an application can use at once, and consents whose code or tokens are kept. @beyond the oldest access token ends as if it had expired, and the oldest consent ends @heldBy tests/api/createToken-refresh.test.ts */',
    `export const CONSENT_LIMITS = ${JSON.stringify(consentLimitsOf(contract))} as const;`,
    '',
    '/** Unused refresh token, and the previous one after a rotation. @beyond 400 `invalid_grant`; the previous one also revokes all tokens of its consent */',
    `export const REFRESH_TOKEN_LIMITS = ${JSON.stringify(refreshTokenLimitsOf(contract))} as const;`,
    '',
    '/** How many days a live ride is kept after its end, and for how many hours its map is shown. */',
    `export const KEPT = ${JSON.stringify(keptOf(contract))} as const;`,
    '',
    '/** The header that requests a failure in a sandbox. */',
    `export const SCENARIO = ${JSON.stringify(scenario?.name)};`,
    '',
    '/** The header value that requests no failure. */',
    `export const NO_SCENARIO = ${JSON.stringify(scenario?.schema.default)};`,
    '',
    '/** The response headers that pages on other origins may read. */',
    `export const READABLE_HEADERS = ${JSON.stringify(readableHeadersOf(contract))};`,
    '',
    '/** The server URL in the links of the examples. */',
    `export const EXAMPLE_URL = ${JSON.stringify(contract.servers?.[0]?.url)};`,
    '',
    '/** The failures of requests that match no operation: code to status. */',
    `export const FAILURES: Readonly<Record<string, number>> = ${JSON.stringify(contract.info['x-failures'] ?? {})};`,
    '',
    '/** Query parameters with a default, by operation. */',
    'interface DefaultedQuery {',
    ...defaulted.filter(([, names]) => names.length > 0).map(([id, names]) => `  ${id}: ${union(names)};`),
    '}',
    '',
    '/** Body fields in which null is a value. */',
    `type NullIsValue = ${union(nullIsValueIn(located))};`,
    SERVER_TYPES,
    '/** One handler per operation of the contract. A missing handler or an undeclared response does not compile. */',
    'export interface Handlers<Contexts extends Record<SecurityScheme, unknown>> {',
    ...routes.map(
      ([id, route]) =>
        `${docComment([`${route.summary}.`, '', ...callingFacts(route)])}\n  readonly ${id}: Handler<'${id}', Contexts>;`,
    ),
    '}',
    '',
  ].join('\n');
}

/** Returns the fields with an empty `x-absent`: no value means the same as omitting them. */
function nullIsValueIn(located: readonly LocatedOperation[]): string[] {
  const fields = located.flatMap(fieldsOf).filter(({ schema }) => schema['x-absent']?.length === 0);
  return [...new Set(fields.map(({ names }) => names.at(-1)!))];
}

/** Headers that every page can read anyway, or that no page can or should read. */
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

/** Reads an extension of `info`. Throws an Error if it is missing. */
function needed<Name extends keyof Contract['info'] & `x-${string}`>(
  { info }: Contract,
  name: Name,
): NonNullable<Contract['info'][Name]> {
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

function refreshTokenLimitsOf(contract: Contract): Record<string, number> {
  const limits = needed(contract, 'x-refresh-tokens');
  return { unusedDays: limits.unused_days, graceSeconds: limits.grace_seconds };
}

function consentLimitsOf(contract: Contract): Record<'accessTokens' | 'consents', number> {
  const { access_tokens: accessTokens, consents } = needed(contract, 'x-consent-limits');
  return { accessTokens, consents };
}

function keptOf(contract: Contract): Record<'rideDays' | 'mapHours', number> {
  const kept = needed(contract, 'x-kept');
  return { rideDays: kept.ride_days, mapHours: kept.map_hours };
}

function union(names: readonly string[]): string {
  return names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
}

const ROUTE_TYPE = `
export interface RateLimit {
  readonly bucket: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What the contract says about an operation, in addition to its types. */
export interface Route {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  /** As in the contract, with \`{name}\` for a path parameter. */
  readonly path: string;
  /** For Express, with \`:name\` for a path parameter. */
  readonly expressPath: string;
  readonly tag: string;
  readonly summary: string;
  /** The accepted credentials. Empty if the operation needs none. */
  readonly security: ReadonlyArray<{ readonly scheme: string; readonly scopes: readonly string[] }>;
  /** Calls allowed in a window. Operations with the same bucket share a count. */
  readonly rateLimit: RateLimit | null;
  /** Limits that apply instead of it, by the \`grant_type\` of the body. */
  readonly grantRateLimits: Readonly<Record<string, RateLimit>>;
  readonly requestMediaTypes: readonly string[];
  /** Deprecated query parameters and body properties: name to the time of deprecation, ISO 8601. */
  readonly deprecatedFields: Readonly<Record<string, string | null>>;
  readonly successStatus: number;
  /** Null if the response has no body. */
  readonly successMediaType: string | null;
  readonly statuses: readonly number[];
  /** The error codes in redirects to an application. */
  readonly redirectErrors: readonly string[];
  /** Error code to status. */
  readonly failures: Readonly<Record<string, number>>;
  /** Status to the seconds in the contract's example of \`Retry-After\`. */
  readonly retryAfterSeconds: Readonly<Record<number, number>>;
  /** Whether caches must not store its responses (RFC 6749, section 5.1). */
  readonly isNeverStored: boolean;
}
`;
