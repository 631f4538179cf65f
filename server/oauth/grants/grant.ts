import type { Body } from '../../../generated/server.ts';
import type { Token } from '../../../generated/types.ts';
import type { CallingApplication } from '../../domain/application.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { World } from '../../domain/worlds/clock.ts';
import type { Tx } from '../../store/schema.ts';
import type { AccessToken } from '../../store/tokens.ts';

export interface Issuing {
  readonly tx: Tx;
  readonly application: CallingApplication;
  /** The world of the new token. */
  readonly world: World;
  readonly realNow: number;
  readonly newToken: () => string;
}

export interface GrantContext extends Issuing {
  /** Passengers who get no token. */
  readonly refusedPassengers: ReadonlySet<string>;
  /**
   * Whether the client has closed its connection. A server that was frozen can process a request after the client has
   * repeated it elsewhere, which is no reuse of a leaked credential.
   */
  readonly hasHungUp: () => boolean;
}

export interface Granted extends Pick<AccessToken, 'scopes' | 'passengerId' | 'worldId'> {
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresInSeconds: number;
}

/** A refusal that commits the transaction; throwing would roll it back. */
interface NotGranted {
  readonly refusal: Refusal;
  /** The event to audit in addition to the refusal. */
  readonly event: 'code_reused' | 'refresh_token_reused';
  readonly passengerId: string;
}

/** A grant type: its name, and how it turns a request into a token. */
export interface Grant {
  readonly name: string;
  /** Throws or returns Refusal `invalid_request`, `invalid_grant` or `invalid_scope`. */
  issue(request: Body<'createToken'>, context: GrantContext): Promise<Granted | NotGranted>;
}

/** A parameter that a grant needs. Throws Refusal `invalid_request` if it is absent. */
export function required(request: Body<'createToken'>, name: 'code' | 'refresh_token'): string {
  const value = request[name];
  if (value !== undefined) return value;
  throw new Refusal('invalid_request', `The parameter ${name} is required.`, { [name]: 'is required' });
}

/** The token response (RFC 6749, section 5.1). */
export function presentToken({ passengerId, accessToken, refreshToken, expiresInSeconds, scopes }: Granted): Token {
  return {
    // the contract spells each in its own way
    token_type: passengerId === null ? 'Bearer' : 'bearer',
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    expires_in: expiresInSeconds,
    scope: scopes.join(' '),
  };
}
