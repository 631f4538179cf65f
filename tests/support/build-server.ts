import { buildServer } from '../../scripts/support/built-server.ts';

/** Vitest calls this before the first test of a run. All processes of the run start the same server. */
export default async function (): Promise<() => void> {
  const { main, remove } = await buildServer();
  process.env.BUILT_SERVER = main;
  return remove;
}
