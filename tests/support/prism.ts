import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../scripts/support/free-port.ts';
import { spawnPrism, writeMockContract } from '../../scripts/support/mock-contract.ts';

export type Prism = Awaited<ReturnType<typeof startMock>>;

/** A Prism process that answers with the contract's examples. */
export async function startMock() {
  const { file, remove } = writeMockContract();
  const port = await freePort();
  const child = spawnPrism([file, '--port', String(port)], 'pipe');
  for await (const line of createInterface({ input: child.stdout! })) if (line.includes('Prism is listening')) break;
  child.stdout!.resume();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill();
      await once(child, 'exit');
      remove();
    },
  };
}
