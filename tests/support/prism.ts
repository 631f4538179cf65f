import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { freePort } from '../../scripts/support/free-port.ts';

/** A Prism process that serves the contract. */
export interface Prism {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** A server that answers with the contract's examples. */
export function startMock(): Promise<Prism> {
  return startPrism('mock');
}

/** A proxy in front of a server. It changes no response, but reports violations of the contract in a header. */
export function startProxy(upstream: string): Promise<Prism> {
  return startPrism('proxy', upstream, '--validate-request=false');
}

async function startPrism(command: string, ...settings: string[]): Promise<Prism> {
  const port = await freePort();
  const parameters = [command, 'generated/openapi.json', ...settings, '--port', String(port)];
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
