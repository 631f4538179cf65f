import { openStore } from '../../server/store/open.ts';
import type { BuiltServer } from '../support/built-server.ts';
import { newDatabase } from '../support/temporary-database.ts';
import { type Crowd, type CrowdSize, fillWithCrowd } from './crowd.ts';
import { type ServerUnderLoad, startUnderLoad } from './server-under-load.ts';
import type { Options } from './webhooks.ts';

/** A server with its own filled database. */
export interface CrowdedServer {
  readonly server: ServerUnderLoad;
  readonly crowd: Crowd;
  /** Also drops the database. */
  close(): Promise<void>;
}

/** @param webhookUrls the webhook URLs of the applications */
export async function openCrowdedServer(
  { engine, tell }: Pick<Options, 'engine' | 'tell'>,
  size: CrowdSize,
  webhookUrls: readonly string[],
  built: Pick<BuiltServer, 'main'>,
): Promise<CrowdedServer> {
  const database = await newDatabase(engine);
  const dropUnlessOpen = async (error: unknown) => {
    await database.drop();
    throw error;
  };
  const store = await openStore(database.url).catch(dropUnlessOpen);
  const crowd = await fillWithCrowd(store, size, webhookUrls, tell)
    .finally(() => store.close())
    .catch(dropUnlessOpen);
  const server = await startUnderLoad(built, database.url).catch(dropUnlessOpen);
  const close = async () => {
    await server.close();
    await database.drop();
  };
  return { server, crowd, close };
}
