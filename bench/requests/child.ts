import { once } from 'node:events';
import { spawnOn } from './cores.ts';

/**
 * Starts a helper process on a core. It sends a message when it is ready, and one in response to each message.
 * @param program a file in this folder, which exits when it is disconnected. It is JavaScript, so it starts without tsx
 */
export async function startChild(core: number, program: string, ...parameters: readonly string[]) {
  const file = new URL(program, import.meta.url).pathname;
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const;
  const child = spawnOn(core, [file, ...parameters], { stdio: [...stdio] });
  const ended = once(child, 'exit');
  const failed = ended.then(([code]) => {
    throw new Error(`${program} exited with code ${code}.`);
  });
  failed.catch(() => {});
  const told = async <Told>(): Promise<Told> => (await Promise.race([once(child, 'message'), failed]))[0];
  await told();
  return {
    pid: child.pid!,
    ask: <Told>(message: number | object) => {
      child.send(message);
      return told<Told>();
    },
    end: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
