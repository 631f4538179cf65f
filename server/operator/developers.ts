import { z } from 'zod';
import { leaveDeveloper } from '../developers/delete.ts';
import { createDeveloper, type HandedLink, inviteDeveloper, resetPassword } from '../developers/link.ts';
import { Refusal } from '../domain/refusal.ts';
import { NO_PASSWORD } from '../domain/stand-in.ts';
import { countApplicationsOf } from '../store/applications.ts';
import { type Developer, findDeveloper, findDeveloperByEmail, listDevelopers } from '../store/developers.ts';
import type { Queries } from '../store/schema.ts';
import { MOST_LISTED, type OperatorParts, operatorCommand } from './command.ts';
import { AFTER, NAMED } from './names.ts';

const named = z.strictObject({ developer: NAMED });
const addressed = z.strictObject({ email: z.string() });

export const DEVELOPER_COMMANDS = {
  'developer.create': operatorCommand({
    input: addressed,
    run: async (parts, { email: typed }) => {
      const { link, ...developer } = await createDeveloper(withLinks(parts), typed);
      return passwordLink(developer, link);
    },
    makesDatabase: true,
  }),
  'developer.invite': operatorCommand({
    input: addressed,
    run: async (parts, { email: typed }) => {
      if (parts.portalSignUp === 'off')
        throw new Refusal(
          'bad_parameter',
          'PORTAL_SIGN_UP is off, so nobody can sign up with an invitation. Use create, or set PORTAL_SIGN_UP to invite.',
        );
      const { email, link } = await inviteDeveloper(withLinks(parts), typed);
      return { email, invitation_link: link.url, link_expires_at: new Date(link.expiresAt).toISOString() };
    },
    makesDatabase: true,
  }),
  'developer.reset-password': operatorCommand({
    input: named,
    run: async (parts, { developer: who }) => {
      const developer = await developerNamed(parts.store.db, who);
      return passwordLink(developer, await resetPassword(withLinks(parts), developer));
    },
  }),
  'developer.list': operatorCommand({
    onlyReads: true,
    input: z.strictObject({ limit: z.int().min(1).max(MOST_LISTED.developers), after: AFTER }),
    run: async ({ store }, { limit, after }) => {
      const found = await listDevelopers(store.db, { limit: limit + 1, after });
      const page = found.slice(0, limit);
      const ids = page.map(({ id }) => id);
      const counts = await countApplicationsOf(store.db, ids);
      const developers = page.map((developer) => recordOf(developer, counts.get(developer.id) ?? 0));
      return { developers, next: found.length > limit ? ids.at(-1)! : null };
    },
  }),
  'developer.delete': operatorCommand({
    input: named,
    run: async (parts, { developer: who }) => {
      const developer = await developerNamed(parts.store.db, who);
      const { outcome, applications } = await parts.store.transaction((tx) => leaveDeveloper(tx, developer));
      if (outcome === 'gone') throw noDeveloper(who);
      if (outcome === 'owner')
        throw new Refusal('bad_parameter', `${developer.email} still has ${ofApplications(applications)} first.`);
      parts.audit({ event: 'developer_deleted', result: 'succeeded', developer: developer.id });
      return { developer_id: developer.id, email: developer.email };
    },
  }),
} as const;

/** Throws Refusal `not_found`. @param who an email address or an ID */
export async function developerNamed(db: Queries, who: string): Promise<Developer> {
  const found = who.includes('@') ? await findDeveloperByEmail(db, who.toLowerCase()) : await findDeveloper(db, who);
  if (found === undefined) throw noDeveloper(who);
  return found;
}

function noDeveloper(who: string): Refusal {
  return new Refusal('not_found', `No developer found for ${who}.`);
}

function ofApplications(count: number): string {
  return count === 1
    ? 'an application. Delete it or transfer it to another developer'
    : `${count} applications. Delete them or transfer them to another developer`;
}

function recordOf({ id, email, passwordHash, createdAt }: Developer, applications: number) {
  return {
    developer_id: id,
    email,
    /** Whether the developer has set a password and can sign in. */
    has_password: passwordHash !== NO_PASSWORD,
    applications,
    created_at: new Date(createdAt).toISOString(),
  };
}

export type DeveloperRecord = ReturnType<typeof recordOf>;

function withLinks({ publicUrl, ...parts }: OperatorParts) {
  if (publicUrl !== null) return { ...parts, publicUrl };
  throw new Refusal(
    'bad_parameter',
    'PUBLIC_URL is not set. The link starts with it, so set it to the https URL where developers reach the server.',
  );
}

function passwordLink({ id, email }: Pick<Developer, 'id' | 'email'>, { url, expiresAt }: HandedLink) {
  return { developer_id: id, email, password_link: url, link_expires_at: new Date(expiresAt).toISOString() };
}
