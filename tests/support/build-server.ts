import { builtServer } from '../../scripts/support/built-server.ts';

/** Vitest calls this before the first test of a run. All processes of the run start the same server. */
export default async function (): Promise<void> {
  process.env.BUILT_SERVER = await builtServer();
}
