import type { Passenger } from '../domain/passenger.ts';
import { DAY_MS } from '../domain/time.ts';
import type { BrowserCookies } from '../http/browser.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { deleteDevice, findDevices, insertDevice } from '../store/devices.ts';
import { holdPasswordHash } from '../store/passengers.ts';
import { deleteSession, insertSession } from '../store/sessions.ts';
import type { Visit } from './step.ts';

const SESSION_TTL_MS = DAY_MS;
/** After this time without a sign-in a browser is a stranger again. */
const DEVICE_TTL_MS = 180 * DAY_MS;

/**
 * Signs a passenger in with a new session token, and has the browser known again by a new device token. The
 * browser's previous session ends, and the passenger's previous device token too, so planted ones are useless. Other
 * passengers who signed in there keep theirs.
 * @returns false if the passenger's password is no longer the one that was checked: a change of password ends all
 * sessions, also those that are just beginning
 */
export async function beginSession(
  { store, randomBytes }: Pick<Parts, 'store' | 'randomBytes'>,
  cookies: BrowserCookies,
  { res, visitor }: Pick<Visit, 'res' | 'visitor'>,
  { worldId, id: passengerId, passwordHash }: Pick<Passenger, 'worldId' | 'id' | 'passwordHash'>,
): Promise<boolean> {
  const [token, deviceToken] = [newToken(randomBytes), newToken(randomBytes)];
  const { realNow, sessionHash, deviceHashes } = visitor;
  const signedIn = { passengerId, signedInAt: realNow };
  const kept = new Set<string>();
  const isBegun = await store.transaction(async (tx) => {
    if ((await holdPasswordHash(tx, worldId, passengerId)) !== passwordHash) return false;
    await insertSession(tx, { ...signedIn, tokenHash: hashOf(token), expiresAt: realNow + SESSION_TTL_MS });
    await insertDevice(tx, { ...signedIn, tokenHash: hashOf(deviceToken), expiresAt: realNow + DEVICE_TTL_MS });
    if (sessionHash !== null) await deleteSession(tx, sessionHash);
    kept.clear();
    for (const device of await findDevices(tx, deviceHashes)) {
      if (device.passengerId === passengerId) await deleteDevice(tx, device.tokenHash);
      else if (device.expiresAt > realNow) kept.add(device.tokenHash);
    }
    return true;
  });
  if (!isBegun) return false;
  cookies.startSession(res, token, SESSION_TTL_MS);
  cookies.setDevice(res, deviceToken, kept, DEVICE_TTL_MS);
  return true;
}
