import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { answersIn, HOST, LAST, type WireAnswer } from '../../support/raw-socket.ts';
import { findingAmong } from './ask.ts';
import type { Range } from './run-attacks.ts';

/** Requests with different statuses, so that a response in the wrong order is noticed. */
const REQUESTS = [
  { head: `GET /healthz HTTP/1.1\r\n${HOST}\r\n`, status: 200 },
  { head: `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`, status: 404 },
  { head: `DELETE /healthz HTTP/1.1\r\n${HOST}\r\n`, status: 405 },
] as const;
const MOST_PIPELINED = 300;
const MOST_READ = 4096;
const RUNS = 10;

/** The behavior of a client that sends many requests and reads late. */
interface Pipeline {
  readonly requests: readonly (typeof REQUESTS)[number][];
  /** The number of bytes that it reads at a time. */
  readonly reads: number;
  /** How many turns of the event loop it waits before each read. */
  readonly patience: number;
}

const pipelines: fc.Arbitrary<Pipeline> = fc.record({
  requests: fc.array(fc.constantFrom(...REQUESTS), { minLength: 1, maxLength: MOST_PIPELINED }),
  reads: fc.integer({ min: 1, max: MOST_READ }),
  patience: fc.integer({ min: 0, max: 3 }),
});

/**
 * Pipelines requests, and reads the responses late and in small parts. Resolves with a description of the finding, or
 * null.
 */
export async function roundOfPipelines({ server }: Pick<Range, 'server'>, seed: number): Promise<string | null> {
  return findingAmong('pipelines', pipelines, { seed, numRuns: RUNS }, async (pipeline) => {
    const answers = await answersReadLate(server.baseUrl, pipeline);
    const wanted = [...pipeline.requests.map(({ status }) => status), 200];
    const statuses = answers.map(({ status }) => status);
    if (statuses.join() !== wanted.join()) throw new Error(`got the statuses ${statuses}, expected ${wanted}`);
  });
}

async function answersReadLate(baseUrl: string, { requests, reads, patience }: Pipeline): Promise<WireAnswer[]> {
  const { hostname, port } = new URL(baseUrl);
  const pieces: Buffer[] = [];
  const buffer = Buffer.alloc(reads);
  const keep = (length: number) => {
    pieces.push(Buffer.from(buffer.subarray(0, length)));
    void turns(patience).then(() => socket.resume());
    return patience === 0;
  };
  const socket = connect({ port: Number(port), host: hostname, onread: { buffer, callback: keep } });
  await once(socket, 'connect');
  socket.pause();
  socket.write(requests.map(({ head }) => head).join('') + LAST, 'latin1');
  await turns(patience);
  socket.resume();
  await once(socket, 'close');
  return [...answersIn(Buffer.concat(pieces).toString('latin1'), false)];
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((next) => setImmediate(next));
}
