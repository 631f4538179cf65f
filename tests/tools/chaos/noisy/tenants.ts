import { SCOPES } from '../../../../generated/server.ts';
import { seedLiveWorld } from '../../../../server/demo.ts';
import { DAY_MS } from '../../../../server/domain/time.ts';
import type { World } from '../../../../server/domain/worlds/clock.ts';
import { LIVE_WORLD } from '../../../../server/domain/worlds/live.ts';
import { DEFAULT_SETTINGS, type WorldSettings } from '../../../../server/domain/worlds/settings.ts';
import { hashOf } from '../../../../server/oauth/secrets.ts';
import { insertApplicationIfAbsent } from '../../../../server/store/applications.ts';
import type { Store } from '../../../../server/store/engine/open.ts';
import { insertAccessToken } from '../../../../server/store/tokens.ts';
import { insertWorldIfAbsent } from '../../../../server/store/worlds.ts';
import { accessToken, application, sandbox } from '../../../store/samples.ts';

/** The application that attacks, with its sandbox and tokens. */
export const NOISY = {
  id: 'noisy',
  /** It has no rate limits. */
  sandbox: 'sandbox-of-noisy',
  /** For its sandbox. */
  token: 'token-of-the-noisy-sandbox',
  /** For the live world, which has rate limits. */
  liveToken: 'token-of-noisy-in-the-live-world',
} as const;

/** The application whose calls are measured. */
export const OTHERS = { id: 'others', token: 'token-of-others' } as const;

/**
 * Stores both applications in the database, because a development server only creates the demo application.
 * @param webhookUrl the webhook URL of the noisy application
 */
export async function insertTenants(store: Store, webhookUrl: string | null): Promise<void> {
  const createdAt = Date.now();
  await seedLiveWorld(store, createdAt);
  for (const { id } of [NOISY, OTHERS]) {
    const { id: sandboxWorldId } = await insertSandbox(store, `sandbox-of-${id}`, id);
    const secrets = { liveSecretHash: hashOf(`live ${id}`), sandboxSecretHash: hashOf(`sandbox ${id}`) };
    const own = { id, name: id, ...secrets, sandboxWorldId, webhookUrl: id === NOISY.id ? webhookUrl : null };
    await insertApplicationIfAbsent(store.db, application({ ...own, createdAt }));
  }
  await insertClientToken(store, NOISY.token, NOISY.id, NOISY.sandbox);
  await insertClientToken(store, NOISY.liveToken, NOISY.id, LIVE_WORLD.id);
  await insertClientToken(store, OTHERS.token, OTHERS.id, LIVE_WORLD.id);
}

/** Stores a sandbox that is frozen, moves rides automatically and has no rate limits. */
export async function insertSandbox(
  { db }: Pick<Store, 'db'>,
  id: string,
  applicationId: string,
  change: Partial<World> = {},
  settings: Partial<WorldSettings> = {},
): Promise<World> {
  const now = Date.now();
  const clock = { realAnchor: now, worldAnchor: now, running: false };
  const world = sandbox({
    ...{ id, applicationId, seed: id, clock, autoAdvance: true, ...change },
    settings: { ...DEFAULT_SETTINGS, limits: false, ...settings },
  });
  await insertWorldIfAbsent(db, world, now);
  return world;
}

export async function insertClientToken(
  { db }: Pick<Store, 'db'>,
  token: string,
  applicationId: string,
  worldId: string,
): Promise<void> {
  const now = Date.now();
  const held = { tokenHash: hashOf(token), applicationId, passengerId: null, worldId, scopes: SCOPES.clientToken };
  await insertAccessToken(db, accessToken({ ...held, issuedAt: now, expiresAt: now + DAY_MS }));
}
