import type { AuditEvent, ResultOf } from '../audit.ts';
import type { Passenger } from '../domain/passenger.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { type CookieNames, DEVELOPER_COOKIES, PASSENGER_COOKIES } from '../http/browser.ts';
import type { Parts } from '../parts.ts';
import { deleteDeveloperLinkOf } from '../store/developer-links.ts';
import {
  changeDeveloperPassword,
  type Developer,
  findDeveloper,
  findDeveloperByEmail,
  holdDeveloper,
} from '../store/developers.ts';
import { changePasswordHash, findPassenger, findPassengerByEmail, holdPasswordHash } from '../store/passengers.ts';
import type { Queries } from '../store/schema.ts';
import { OF_DEVELOPERS, OF_PASSENGERS, type SignInTables } from '../store/sign-in-tables.ts';

/** A passenger or a developer who signs in with email, in lower case, and password. */
export type Account = Pick<Passenger, 'id' | 'email' | 'passwordHash'>;

export type AccountKind = 'passengers' | 'developers';

export interface Accounts<A extends Account = Account> {
  readonly kind: AccountKind;
  readonly cookies: CookieNames;
  readonly tables: SignInTables;
  /** IDs of accounts with public passwords, which can't sign in. */
  readonly refused: ReadonlySet<string>;
  readonly find: (db: Queries, id: string) => Promise<A | undefined>;
  /** @param email in lower case */
  readonly findByEmail: (db: Queries, email: string) => Promise<A | undefined>;
  /** Locks the account's password hash until the transaction ends. Returns undefined without an account. */
  readonly holdPasswordHash: (tx: Queries, id: string) => Promise<string | undefined>;
  /** Changes nothing unless the current hash is `before`. @returns whether it changed */
  changePassword(
    tx: Queries,
    account: Pick<Account, 'id' | 'email'>,
    hashes: { readonly before: string; readonly after: string },
  ): Promise<boolean>;
  readonly events: AccountEvents;
}

/** The events of the audit trail. @param application the one that asks for access, if any */
interface AccountEvents {
  signIn(result: ResultOf<'sign_in'>, id: string | null, application?: string | null): AuditEvent;
  signOut(id: string, application?: string | null): AuditEvent;
  signOutEverywhere(id: string): AuditEvent;
  passwordChange(result: ResultOf<'password_changed'>, id: string): AuditEvent;
  deletion(result: ResultOf<'account_deleted'>, id: string): AuditEvent;
}

/** Only passengers of the live world can sign in. */
export function passengerAccounts({ refusedPassengers }: Pick<Parts, 'refusedPassengers'>): Accounts<Passenger> {
  return {
    kind: 'passengers',
    cookies: PASSENGER_COOKIES,
    tables: OF_PASSENGERS,
    refused: refusedPassengers,
    find: (db, id) => findPassenger(db, LIVE_WORLD.id, id),
    findByEmail: (db, email) => findPassengerByEmail(db, LIVE_WORLD.id, email),
    holdPasswordHash: (tx, id) => holdPasswordHash(tx, LIVE_WORLD.id, id),
    changePassword: (tx, { id }, hashes) => changePasswordHash(tx, { worldId: LIVE_WORLD.id, id }, hashes),
    events: {
      signIn: (result, passenger, application = null) => ({ event: 'sign_in', result, application, passenger }),
      signOut: (passenger, application = null) => ({ event: 'sign_out', result: 'succeeded', application, passenger }),
      signOutEverywhere: (passenger) => ({ event: 'signed_out_everywhere', result: 'succeeded', passenger }),
      passwordChange: (result, passenger) => ({ event: 'password_changed', result, passenger }),
      deletion: (result, passenger) => ({ event: 'account_deleted', result, passenger }),
    },
  };
}

export function developerAccounts({ refusedDevelopers }: Pick<Parts, 'refusedDevelopers'>): Accounts<Developer> {
  return {
    kind: 'developers',
    cookies: DEVELOPER_COOKIES,
    tables: OF_DEVELOPERS,
    refused: refusedDevelopers,
    find: findDeveloper,
    findByEmail: findDeveloperByEmail,
    holdPasswordHash: holdDeveloper,
    changePassword: async (tx, { id, email }, hashes) => {
      if (!(await changeDeveloperPassword(tx, id, hashes))) return false;
      // an older password link would let its holder change the password again
      await deleteDeveloperLinkOf(tx, email);
      return true;
    },
    events: {
      signIn: (result, developer) => ({ event: 'developer_sign_in', result, developer }),
      signOut: (developer) => ({ event: 'developer_sign_out', result: 'succeeded', developer }),
      signOutEverywhere: (developer) => ({ event: 'developer_sign_out', result: 'everywhere', developer }),
      passwordChange: (result, developer) => ({ event: 'developer_password_changed', result, developer }),
      deletion: (result, developer) => ({ event: 'developer_deleted', result, developer }),
    },
  };
}
