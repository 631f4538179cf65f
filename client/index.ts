// `ridehail`: calls the API. It runs in browsers, in workers and on servers.
export type { AuthorizationQuery } from './authorization-url.ts';
export { authorizationUrl } from './authorization-url.ts';
export { type ClientOptions, createClient, type Operations } from './client.ts';
export { confirmCancelFee, confirmPrimeTime } from './confirm.ts';
export { CallError, type Result } from './result.ts';
export type { Credentials, Tokens } from './tokens/renewing-token.ts';
export type { TokenExpired } from './tokens/token-expired.ts';
export type { TokenSource } from './tokens/token-source.ts';
export type { Unreadable } from './unreadable.ts';
export { type WatchOptions, watchRide } from './watch-ride.ts';
