import type { Audit } from '../audit.ts';
import { liveId } from '../domain/ids.ts';
import { Refusal } from '../domain/refusal.ts';
import { NO_PASSWORD } from '../domain/stand-in.ts';
import { PORTAL_PATHS } from '../links.ts';
import type { Parts } from '../parts.ts';
import { EMAIL_RULE } from '../sign-in/email.ts';
import { saveDeveloperLink } from '../store/developer-links.ts';
import { findDeveloperByEmail, insertDeveloperIfAbsent } from '../store/developers.ts';
import { type HandedLink, NEW_ACCOUNT_LINK_TTL_MS, newLink } from './link.ts';

export type DeveloperParts = Pick<Parts, 'store' | 'now' | 'randomBytes' | 'publicUrl'> & { readonly audit: Audit };

/**
 * Creates an account without a password, and a link to set one. Throws Refusal `bad_parameter`, also if the email
 * already has an account.
 */
export async function createDeveloper(
  { store, now, randomBytes, publicUrl, audit }: DeveloperParts,
  typed: string,
): Promise<{ readonly id: string; readonly email: string; readonly link: HandedLink }> {
  const email = emailFrom(typed);
  const createdAt = now();
  const id = liveId(createdAt, randomBytes(16));
  const at = { page: PORTAL_PATHS.setPassword, field: 'link' };
  const expiresAt = createdAt + NEW_ACCOUNT_LINK_TTL_MS;
  const link = newLink({ randomBytes, publicUrl }, at, { email, developerId: id, expiresAt });
  await store.transaction(async (tx) => {
    if (!(await insertDeveloperIfAbsent(tx, { id, email, passwordHash: NO_PASSWORD, createdAt }))) throw taken(email);
    await saveDeveloperLink(tx, link.row);
  });
  audit({ event: 'developer_created', result: 'succeeded', developer: id });
  return { id, email, link };
}

/**
 * Creates a link for signing up with an email. Throws Refusal `bad_parameter`, also if the email already has an
 * account.
 */
export async function inviteDeveloper(
  { store, now, randomBytes, publicUrl, audit }: DeveloperParts,
  typed: string,
): Promise<{ readonly email: string; readonly link: HandedLink }> {
  const email = emailFrom(typed);
  const at = { page: PORTAL_PATHS.signUp, field: 'invitation' };
  const expiresAt = now() + NEW_ACCOUNT_LINK_TTL_MS;
  const link = newLink({ randomBytes, publicUrl }, at, { email, developerId: null, expiresAt });
  await store.transaction(async (tx) => {
    // first: this waits for a concurrent sign-up, so the lookup then sees its account
    await saveDeveloperLink(tx, link.row);
    if ((await findDeveloperByEmail(tx, email)) !== undefined) throw taken(email);
  });
  audit({ event: 'developer_created', result: 'invited', developer: null });
  return { email, link };
}

function emailFrom(typed: string): string {
  const { data, error } = EMAIL_RULE.safeParse(typed);
  if (data !== undefined) return data;
  const problem = error!.issues[0]!.message;
  throw new Refusal('bad_parameter', problem, { email: problem });
}

function taken(email: string): Refusal {
  const problem = `The developer ${email} already exists. Use reset-password to create a new link for them.`;
  return new Refusal('bad_parameter', problem, { email: problem });
}
