import type { ResultOf } from '../audit.ts';
import type { OwnApplication } from '../domain/application.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import type { Parts } from '../parts.ts';
import { deleteApplication as deleteRow } from '../store/application-ends.ts';
import { setSettings } from '../store/applications.ts';
import { cancelResend } from '../store/deliveries/resends.ts';
import type { Tx } from '../store/schema.ts';
import { type By, changeOwn } from './by.ts';
import { type Noted, note } from './log.ts';
import { assertNoDisguise, nameFrom } from './names.ts';
import { redirectUrisFrom } from './rules.ts';

type ChangeParts = Pick<Parts, 'store'>;

/** Changes the name that passengers see. Throws Refusal `bad_parameter` and `not_found`. */
export async function renameApplication(parts: ChangeParts, by: By, id: string, text: string): Promise<void> {
  const name = nameFrom(text);
  await change(parts, by, id, async (tx, before) => {
    if (before.name === name) return null;
    if (by.developerId !== null) assertNoDisguise(name);
    await setSettings(tx, id, { name });
    return { action: 'renamed', detail: `${before.name} → ${name}` };
  });
}

/**
 * Changes the redirect URIs. Codes already sent to other URIs can still be exchanged. Throws Refusal `bad_parameter`
 * and `not_found`.
 */
export async function changeRedirectUris(
  parts: ChangeParts,
  by: By,
  id: string,
  texts: readonly string[],
): Promise<void> {
  const uris = redirectUrisFrom(texts);
  await change(parts, by, id, async (tx, before) => {
    if (JSON.stringify(before.redirectUris) === JSON.stringify(uris)) return null;
    await setSettings(tx, id, { redirectUris: uris });
    return { action: 'redirect_uris_changed', detail: uris.join(' ') };
  });
}

/** Sets whether each refresh rotates the refresh token. Throws Refusal `not_found`. */
export async function switchRefreshRotation(parts: ChangeParts, by: By, id: string, isOn: boolean): Promise<void> {
  await change(parts, by, id, async (tx, before) => {
    if (before.rotatesRefreshTokens === isOn) return null;
    await setSettings(tx, id, { rotatesRefreshTokens: isOn });
    return { action: isOn ? 'refresh_rotation_on' : 'refresh_rotation_off', detail: null };
  });
}

/** Sets whether the live secret can read the events of live rides. Throws Refusal `not_found`. */
export async function switchLiveEvents(parts: ChangeParts, by: By, id: string, isOn: boolean): Promise<void> {
  await change(parts, by, id, async (tx, before) => {
    if ((before.liveEventsSince !== null) === isOn) return null;
    await setSettings(tx, id, { liveEventsSince: isOn ? by.realNow : null });
    if (!isOn) await cancelResend(tx, { applicationId: id, worldId: LIVE_WORLD.id }, by.realNow);
    return { action: isOn ? 'live_events_on' : 'live_events_off', detail: null };
  });
}

interface Changed extends Noted {
  readonly action:
    | 'redirect_uris_changed'
    | Exclude<ResultOf<'application_changed'>, 'redirect_uris' | 'failed' | 'slowed_down'>;
}

/**
 * Runs a change of a locked application. `work` returns the log entry; null: nothing changed.
 * @param hold locks the application, and refuses a developer who may not change it
 */
export async function change(
  { store }: ChangeParts,
  by: By,
  id: string,
  work: (tx: Tx, before: OwnApplication) => Promise<Changed | null>,
  hold?: Parameters<typeof changeOwn>[4],
): Promise<void> {
  const changeAndNote = async (tx: Tx, before: OwnApplication) => {
    const done = await work(tx, before);
    if (done !== null) await note(tx, id, by, done);
    return done;
  };
  const changed = await changeOwn(store, by, id, changeAndNote, hold);
  if (changed === null) return;
  const result = changed.action === 'redirect_uris_changed' ? 'redirect_uris' : changed.action;
  by.audit({ event: 'application_changed', result, application: id, developer: by.developerId });
}

/**
 * Deletes an application. Its tokens and codes end immediately, its webhooks stop, and its sandboxes are deleted. Live
 * rides that passengers requested through it continue. Throws Refusal `not_found`.
 */
export async function deleteApplication({ store }: ChangeParts, by: By, id: string): Promise<void> {
  await changeOwn(store, by, id, (tx) => deleteRow(tx, id, by.realNow));
  by.audit({ event: 'application_deleted', result: 'succeeded', application: id, developer: by.developerId });
}
