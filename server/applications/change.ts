import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';
import {
  countApplications,
  type OwnApplication,
  setDeveloper,
  setName,
  setRedirectUris,
  setRefreshTokenRotation,
} from '../store/applications.ts';
import { holdDeveloper } from '../store/developers.ts';
import { type By, holdOwn, isStorable, type LogAction, note } from './by.ts';
import { MOST_APPLICATIONS, nameFrom, redirectUrisFrom } from './rules.ts';

type ChangeParts = Pick<Parts, 'store'>;

/** Changes the name that passengers see. Throws Refusal `bad_parameter` and `not_found`. */
export async function renameApplication({ store }: ChangeParts, by: By, id: string, text: string): Promise<void> {
  const name = nameFrom(text);
  await change({ store }, by, id, async (tx, before) => {
    if (before.name === name) return null;
    await setName(tx, id, name);
    return { action: 'renamed', detail: `${before.name} → ${name}` };
  });
}

/**
 * Changes where passengers can be sent back to. Codes that were sent elsewhere can still be traded. Throws Refusal
 * `bad_parameter` and `not_found`.
 */
export async function changeRedirectUris(
  { store }: ChangeParts,
  by: By,
  id: string,
  texts: readonly string[],
): Promise<void> {
  const uris = redirectUrisFrom(texts);
  await change({ store }, by, id, async (tx, before) => {
    if (JSON.stringify(before.redirectUris) === JSON.stringify(uris)) return null;
    await setRedirectUris(tx, id, uris);
    return { action: 'redirect_uris_changed', detail: uris.join(' ') };
  });
}

/** Whether each renewal replaces the refresh token. Throws Refusal `not_found`. */
export async function switchRefreshRotation({ store }: ChangeParts, by: By, id: string, isOn: boolean): Promise<void> {
  await change({ store }, by, id, async (tx, before) => {
    if (before.rotatesRefreshTokens === isOn) return null;
    await setRefreshTokenRotation(tx, id, isOn);
    return { action: isOn ? 'refresh_rotation_on' : 'refresh_rotation_off', detail: null };
  });
}

/**
 * Gives an application to another developer. Secrets and keys stay as they are, and the former owner knows them: the new
 * one rotates them. Throws Refusal `bad_parameter` and `not_found`.
 */
export async function transferApplication(
  { store }: ChangeParts,
  by: By,
  id: string,
  newOwnerId: string,
): Promise<void> {
  const refuse = (problem: string) => new Refusal('bad_parameter', problem, { developer: problem });
  await change({ store }, by, id, async (tx, before) => {
    if (before.developerId === newOwnerId) return null;
    if (!isStorable(newOwnerId) || (await holdDeveloper(tx, newOwnerId)) === undefined)
      throw refuse('There is no developer with this id.');
    if ((await countApplications(tx, newOwnerId)) >= MOST_APPLICATIONS)
      throw refuse(`They have ${MOST_APPLICATIONS} applications, the most that a developer can have.`);
    await setDeveloper(tx, id, newOwnerId);
    return { action: 'transferred', detail: `to the developer ${newOwnerId}` };
  });
}

type Changed = { readonly action: LogAction; readonly detail: string | null };

/** Runs a change of a locked application. `work` returns what to write to the log; null: nothing changed. */
async function change(
  { store }: ChangeParts,
  by: By,
  id: string,
  work: (tx: Parameters<typeof holdOwn>[0], before: OwnApplication) => Promise<Changed | null>,
): Promise<void> {
  const changed = await store.transaction(async (tx) => {
    const done = await work(tx, await holdOwn(tx, id, by));
    if (done !== null) await note(tx, id, by, done);
    return done;
  });
  if (changed === null) return;
  const result = AUDITED[changed.action as keyof typeof AUDITED];
  by.audit({ event: 'application_changed', result, application: id, developer: by.developerId });
}

const AUDITED = {
  renamed: 'renamed',
  redirect_uris_changed: 'redirect_uris',
  refresh_rotation_on: 'refresh_rotation_on',
  refresh_rotation_off: 'refresh_rotation_off',
  transferred: 'transferred',
} as const;
