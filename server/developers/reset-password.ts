import { Refusal } from '../domain/refusal.ts';
import { NO_PASSWORD } from '../domain/stand-in.ts';
import { PORTAL_PATHS } from '../links.ts';
import { saveDeveloperLink } from '../store/developer-links.ts';
import { changeDeveloperPassword, type Developer, holdDeveloper } from '../store/developers.ts';
import { deleteSignIns } from '../store/sessions.ts';
import { OF_DEVELOPERS } from '../store/sign-in-tables.ts';
import type { DeveloperParts } from './create.ts';
import { type HandedLink, newLink, RESET_LINK_TTL_MS } from './link.ts';

/**
 * Invalidates a developer's password and all their sessions, and creates a link to set a new password. Throws Refusal
 * `not_found` for a developer who no longer exists.
 */
export async function resetPassword(
  { store, now, randomBytes, publicUrl, audit }: DeveloperParts,
  { id, email }: Pick<Developer, 'id' | 'email'>,
): Promise<HandedLink> {
  const at = { page: PORTAL_PATHS.setPassword, field: 'link' };
  const link = newLink({ randomBytes, publicUrl }, at, {
    email,
    developerId: id,
    expiresAt: now() + RESET_LINK_TTL_MS,
  });
  await store.transaction(async (tx) => {
    if ((await holdDeveloper(tx, id)) === undefined) throw new Refusal('not_found', `No developer found for ${email}.`);
    await changeDeveloperPassword(tx, id, { after: NO_PASSWORD });
    await deleteSignIns(tx, OF_DEVELOPERS, id);
    await saveDeveloperLink(tx, link.row);
  });
  audit({ event: 'developer_link_made', result: 'succeeded', developer: id });
  return link;
}
