import type { Audit } from '../audit.ts';
import { liveId } from '../domain/ids.ts';
import { Refusal, wrongField } from '../domain/refusal.ts';
import { NO_PASSWORD } from '../domain/stand-in.ts';
import { DAY_MS } from '../domain/time.ts';
import { LINK_FIELDS, PORTAL_PATHS } from '../links.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { readEmail } from '../sign-in/email.ts';
import { type DeveloperLink, saveDeveloperLink } from '../store/developer-links.ts';
import {
  changeDeveloperPassword,
  type Developer,
  findDeveloperByEmail,
  holdDeveloper,
  insertDeveloperIfAbsent,
} from '../store/developers.ts';
import type { Tx } from '../store/schema.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { OF_DEVELOPERS } from '../store/sign-in-tables.ts';

export type DeveloperParts = Pick<Parts, 'store' | 'now' | 'randomBytes' | 'publicUrl'> & { readonly audit: Audit };

/** How long the link to a new account works. */
const NEW_ACCOUNT_LINK_TTL_MS = 7 * DAY_MS;
/** Shorter: the developer is waiting for it, and the account owns applications. */
const RESET_LINK_TTL_MS = DAY_MS;

/** A single-use link for a developer. No email is sent: the operator passes it on. */
export type HandedLink = { readonly url: string } & Pick<DeveloperLink, 'expiresAt'>;

/**
 * Creates an account without a password, and a link to set one. Throws Refusal `bad_parameter`, also if the email
 * already has an account.
 */
export async function createDeveloper(parts: DeveloperParts, typed: string) {
  const { store, now, randomBytes, audit } = parts;
  const email = emailFrom(typed);
  const createdAt = now();
  const id = liveId(createdAt, randomBytes(16));
  const link = await store.transaction(async (tx) => {
    if (!(await insertDeveloperIfAbsent(tx, { id, email, passwordHash: NO_PASSWORD, createdAt }))) throw taken(email);
    return saveNewLink(tx, parts, { email, developerId: id, expiresAt: createdAt + NEW_ACCOUNT_LINK_TTL_MS });
  });
  audit({ event: 'developer_created', result: 'succeeded', developer: id });
  return { id, email, link };
}

/**
 * Creates a link for signing up with an email. Throws Refusal `bad_parameter`, also if the email already has an
 * account.
 */
export async function inviteDeveloper(parts: DeveloperParts, typed: string) {
  const { store, now, audit } = parts;
  const email = emailFrom(typed);
  const expiresAt = now() + NEW_ACCOUNT_LINK_TTL_MS;
  const link = await store.transaction(async (tx) => {
    // first: this waits for a concurrent sign-up, so the lookup then sees its account
    const saved = await saveNewLink(tx, parts, { email, developerId: null, expiresAt });
    if ((await findDeveloperByEmail(tx, email)) !== undefined) throw taken(email);
    return saved;
  });
  audit({ event: 'developer_created', result: 'invited', developer: null });
  return { email, link };
}

/**
 * Invalidates a developer's password and all their sessions, and creates a link to set a new password. Throws Refusal
 * `not_found` for a developer who no longer exists.
 */
export async function resetPassword(
  parts: DeveloperParts,
  { id, email }: Pick<Developer, 'id' | 'email'>,
): Promise<HandedLink> {
  const { store, now, audit } = parts;
  const expiresAt = now() + RESET_LINK_TTL_MS;
  const link = await store.transaction(async (tx) => {
    if ((await holdDeveloper(tx, id)) === undefined) throw new Refusal('not_found', `No developer found for ${email}.`);
    await changeDeveloperPassword(tx, id, { after: NO_PASSWORD });
    await deleteSignIns(tx, OF_DEVELOPERS, id);
    return saveNewLink(tx, parts, { email, developerId: id, expiresAt });
  });
  audit({ event: 'developer_link_made', result: 'succeeded', developer: id });
  return link;
}

/** A link to the page that sets a password or, without an account, to the page for signing up. */
async function saveNewLink(
  tx: Tx,
  { randomBytes, publicUrl }: DeveloperParts,
  link: Omit<DeveloperLink, 'tokenHash'>,
): Promise<HandedLink> {
  const token = newToken(randomBytes);
  await saveDeveloperLink(tx, { ...link, tokenHash: hashOf(token) });
  const page = link.developerId === null ? 'signUp' : 'setPassword';
  const query = new URLSearchParams({ [LINK_FIELDS[page]]: token });
  return { url: `${publicUrl}${PORTAL_PATHS[page]}?${query}`, expiresAt: link.expiresAt };
}

function emailFrom(typed: string): string {
  const read = readEmail(typed);
  if ('problem' in read) throw wrongField('email', read.problem);
  return read.email;
}

function taken(email: string): Refusal {
  const problem = `The developer ${email} already exists. Use reset-password to create a new link for them.`;
  return wrongField('email', problem);
}
