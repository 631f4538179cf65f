import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../scripts/support/free-port.ts';
import { writeMockContract } from '../../scripts/support/mock-contract.ts';

/** A Prism process that serves the contract. */
export interface Prism {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A server that answers with the contract's examples. */
export async function startMock(): Promise<Prism> {
  const contract = writeMockContract();
  const prism = await startPrism('mock', contract.file);
  return { ...prism, close: () => prism.close().finally(contract.remove) };
}

/** A proxy in front of a server. It changes no response, but reports violations of the contract in a header. */
export function startProxy(upstream: string): Promise<Prism> {
  return startPrism('proxy', 'generated/openapi.json', upstream, '--validate-request=false');
}

async function startPrism(command: string, contract: string, ...settings: string[]): Promise<Prism> {
  const port = await freePort();
  const parameters = [command, contract, ...settings, '--port', String(port)];
  const child = spawn('node_modules/.bin/prism', parameters, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('Prism is listening')) break;
  child.stdout.resume();
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    close: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}
