import type { Operations } from '../../client/client.ts';
import type { PassengerRequest, SandboxPassenger, World, WorldRequest } from '../../generated/types.ts';
import { DEMO } from '../../server/demo.ts';
import { findWorld, insertWorldIfAbsent } from '../../server/store/worlds.ts';
import { sandbox } from '../store/samples.ts';
import { basic } from './demo-caller.ts';
import type { TestServer } from './server.ts';

/** A frozen clock, on a Tuesday at 11:00 in San Francisco, without Prime Time. */
export const FROZEN = { state: 'frozen', now: '2026-05-12T18:00:00Z' } as const;

/** A sandbox as its application sees it, only through the API. */
export interface MadeWorld {
  readonly world: World;
  readonly token: string;
  readonly api: Operations;
}

export interface MadePassenger {
  readonly passenger: SandboxPassenger;
  readonly token: string;
  readonly api: Operations;
}

/** A client token for the demo application's first sandbox. */
export async function defaultToken(server: TestServer): Promise<string> {
  const world = await findWorld(server.store.db, 'demo-sandbox');
  return server.newToken({ world: world! });
}

/**
 * A new sandbox and its passengers, with a client each. Uses only the API, so the server may be another process.
 * @param clientOf makes a client with a token
 */
export async function openSandbox(
  clientOf: (token?: string) => Operations,
  body: WorldRequest = { clock: FROZEN },
  headers = basic(DEMO.clientId, DEMO.sandboxClientSecret),
) {
  const { data } = await clientOf().createToken({ body: { grant_type: 'client_credentials' }, headers });
  const { data: world } = await clientOf(data!.access_token).createWorld({ body });
  const sandbox = clientOf(world!.token.access_token);
  const newPassenger = async () => clientOf((await sandbox.createPassenger({})).data!.token.access_token);
  return { sandbox, newPassenger };
}

/** Gives an application this many worlds directly in the database. */
export async function fillWorlds({ store, parts }: TestServer, applicationId: string, count: number): Promise<void> {
  await store.transaction(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const id = `${applicationId}-${n}`;
      await insertWorldIfAbsent(tx, sandbox({ id, seed: id, applicationId }), parts.now());
    }
  });
}

/** Creates another sandbox of the demo application. */
export async function makeWorld(server: TestServer, body: WorldRequest = {}): Promise<MadeWorld> {
  const { data, error } = await server.client({ token: await defaultToken(server) }).createWorld({ body });
  if (data === undefined) throw new Error(`createWorld failed: ${JSON.stringify(error)}`);
  const token = data.token.access_token;
  return { world: data.world, token, api: server.client({ token }) };
}

export async function makePassenger(
  server: TestServer,
  { api }: Pick<MadeWorld, 'api'>,
  body: PassengerRequest = {},
): Promise<MadePassenger> {
  const { data, error } = await api.createPassenger({ body });
  if (data === undefined) throw new Error(`createPassenger failed: ${JSON.stringify(error)}`);
  const token = data.token.access_token;
  return { passenger: data.passenger, token, api: server.client({ token }) };
}
