import type { Transaction } from 'kysely';
import type { Body } from '../../../generated/server.ts';
import type { CallingApplication } from '../../domain/application.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { World } from '../../domain/worlds/clock.ts';
import type { Database } from '../../store/schema.ts';

export type TokenRequest = Body<'createToken'>;

/** Who asks for a token, and with what at hand. */
export interface GrantContext {
  readonly tx: Transaction<Database>;
  readonly application: CallingApplication;
  /** Where the token will act. */
  readonly world: World;
  /** Real milliseconds UTC. */
  readonly realNow: number;
  readonly newToken: () => string;
}

/** A token, given. */
export interface Granted {
  readonly tokenType: 'Bearer' | 'bearer';
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/** No token, with what must stay of the attempt: throwing would undo it with the transaction. */
export interface NotGranted {
  readonly refusal: Refusal;
}

/** A grant is a module: its name, and how it turns a request into a token. */
export interface Grant {
  readonly name: string;
  /** Throws or gives Refusal `invalid_request`, `invalid_grant` or `invalid_scope`. */
  issue(request: TokenRequest, context: GrantContext): Promise<Granted | NotGranted>;
}
