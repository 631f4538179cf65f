import { DAY_MS } from './time.ts';

/** How long the portal shows a request. */
export const REQUEST_KEPT_MS = DAY_MS;

/** A request in the log that the owner of its application sees. */
export interface LoggedRequest {
  /** As in the header of its response. */
  readonly id: string;
  /** Real time of its arrival, in milliseconds UTC. */
  readonly at: number;
  readonly ms: number;
  readonly method: string;
  /** With the query, without secrets, and in the live world with rounded coordinates. */
  readonly path: string;
  /** Null: the client disconnected first. */
  readonly status: number | null;
  /** The error code; null for none. */
  readonly error: string | null;
  /** Of its token; null for a request with a secret. */
  readonly scopes: readonly string[] | null;
  readonly worldId: string;
  /** The failure that it asked for in a sandbox; null for none. */
  readonly scenario: string | null;
}

/** The bodies of a request in a sandbox, without secrets. Null: it has none, or none that is kept. */
export type LoggedBodies = readonly [request: string | null, response: string | null];

/** Whose requests: those of an application during the time of one owner, so that the next one sees none of them. */
export interface RequestsOf {
  readonly applicationId: string;
  readonly developerId: string;
}
