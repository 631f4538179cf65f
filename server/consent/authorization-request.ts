import { DEFAULT_SCOPES, SCOPES } from '../../generated/server.ts';
import type { Application } from '../domain/application.ts';
import { allows } from '../domain/redirect-uri.ts';
import { Refusal } from '../domain/refusal.ts';
import { scopesOf } from '../domain/scopes.ts';
import type { Form } from '../http/form.ts';
import { queryReader } from '../http/query.ts';
import type { Parts } from '../parts.ts';
import { findApplication } from '../store/applications.ts';

/** A valid authorization request (RFC 6749, section 4.1.1). */
export interface AuthorizationRequest extends ReturnAddress {
  readonly scopes: readonly string[];
  /** For the method S256; null without PKCE. */
  readonly codeChallenge: string | null;
  /** The request's query, reduced to known parameters. Pages and forms pass it on. */
  readonly query: string;
}

/** Where the browser returns to, and the state to send. */
export interface ReturnAddress {
  readonly application: Application;
  /** Matches one that the application registered. */
  readonly redirectUri: string;
  readonly state: string | undefined;
}

/** An error that the browser of a signed-in passenger carries to the application (RFC 6749, section 4.1.2.1). */
export class RedirectedRefusal extends Error {
  override readonly name = 'RedirectedRefusal';

  constructor(
    readonly address: ReturnAddress,
    readonly refusal: Refusal,
  ) {
    super(refusal.message);
  }
}

export const readQuery: (url: string) => Form = queryReader('authorizeApplication');

/**
 * Finds the application of a request. Throws a Refusal, shown as a page, if the application or the redirect URI is
 * unknown. Then the server must not redirect (RFC 6749, section 4.1.2.1).
 */
export async function returnAddressOf(
  { store, refusedApplications }: Pick<Parts, 'store' | 'refusedApplications'>,
  { values, faults }: Form,
): Promise<ReturnAddress> {
  const { client_id: id = '', redirect_uri: named, state } = values;
  const fault = faults.find(({ name }) => name === 'client_id' || name === 'redirect_uri');
  if (fault) throw unknown(fault.name, `The parameter ${fault.name} ${fault.problem}.`, fault.problem);
  if (id === '') throw unknown('client_id', 'The parameter client_id is required.', 'is required');
  // PostgreSQL rejects NUL, even in a lookup
  const isKnown = !id.includes('\0') && !refusedApplications.has(id);
  const application = isKnown ? await findApplication(store.db, id) : undefined;
  if (!application) throw unknown('client_id', 'There is no application with this client_id.', 'is not known');
  const redirectUri = redirectUriOf(application, named);
  // with two values, either one could be forged
  const isStateSure = !faults.some(({ name }) => name === 'state');
  return { application, redirectUri, state: isStateSure ? state : undefined };
}

/** The requested redirect URI, or the only registered one (RFC 6749, section 3.1.2.3). Throws a Refusal. */
function redirectUriOf({ redirectUris }: Application, named: string | undefined): string {
  const [first, second] = redirectUris;
  if (named === undefined && second !== undefined) {
    const why = 'because the application has several registered redirect URIs';
    throw unknown('redirect_uri', `The parameter redirect_uri is required ${why}.`, 'is required');
  }
  const found = named === undefined ? first : named;
  if (found === undefined || !redirectUris.some((registered) => allows(registered, found)))
    throw unknown('redirect_uri', 'The redirect_uri is not registered for this application.', 'is not known');
  return found;
}

/** Throws a Refusal when returnAddressOf does, otherwise a RedirectedRefusal. Doesn't check the contract's schemas. */
export async function readAuthorizationRequest(
  parts: Pick<Parts, 'store' | 'refusedApplications'>,
  form: Form,
): Promise<AuthorizationRequest> {
  const address = await returnAddressOf(parts, form);
  const [fault] = form.faults;
  const invalid = (sentence: string) => new RedirectedRefusal(address, new Refusal('invalid_request', sentence));
  if (fault) throw invalid(`The parameter ${fault.name} ${fault.problem}.`);
  const { scope, code_challenge: challenge, code_challenge_method: method } = form.values;
  if ((challenge === undefined) !== (method === undefined)) {
    // RFC 7636 defaults to plain, which doesn't protect against an attacker who sees the request
    throw invalid('PKCE requires both code_challenge and code_challenge_method=S256.');
  }
  return {
    ...address,
    scopes: scopesAsked(address, scope),
    codeChallenge: challenge ?? null,
    query: new URLSearchParams(form.values).toString(),
  };
}

/**
 * Adds parameters to the redirect URI (RFC 6749, section 4.1.2). Its registered query stays unchanged. `iss` tells a
 * client of several servers which one answers (RFC 9207).
 */
export function locationOf(
  { publicUrl }: Pick<Parts, 'publicUrl'>,
  { redirectUri, state }: Pick<ReturnAddress, 'redirectUri' | 'state'>,
  parameters: Readonly<Record<string, string>>,
): string {
  const added = new URLSearchParams({ ...parameters, iss: publicUrl, ...(state !== undefined && { state }) });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${added}`;
}

function scopesAsked(address: ReturnAddress, scope: string | undefined): string[] {
  try {
    return scopesOf(scope, SCOPES.userToken, DEFAULT_SCOPES);
  } catch (error) {
    if (error instanceof Refusal) throw new RedirectedRefusal(address, error);
    throw error;
  }
}

function unknown(name: string, description: string, problem: string): Refusal {
  return new Refusal('invalid_request', description, { [name]: problem });
}
