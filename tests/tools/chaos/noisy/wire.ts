import { once } from 'node:events';
import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { OPERATIONS, type OperationId } from '../../../../generated/server.ts';

/** The number of responses by status. Also counts connections that the server closed, and calls without a response. */
export type Tally = Map<string, number>;

interface RawCall {
  /** Without the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, or unchanged if it is bytes. */
  readonly body?: object;
}

const CONNECT_AGAIN_MS = 20;

/** The bytes of a call, as Latin-1. @param token null: without one */
export function callOf(operation: OperationId, token: string | null, { query, headers, body }: RawCall = {}): string {
  const { method, path } = OPERATIONS[operation];
  const target = path + (query === undefined ? '' : `?${query}`);
  const authorization = token !== null && { Authorization: `Bearer ${token}` };
  return requestOf(method.toUpperCase(), target, { ...authorization, ...headers }, body);
}

export function requestOf(method: string, target: string, headers: object = {}, body?: object): string {
  const content = Buffer.isBuffer(body) ? body.toString('latin1') : body === undefined ? '' : JSON.stringify(body);
  const type = body && { 'Content-Type': 'application/json' };
  const length = method !== 'GET' && { 'Content-Length': Buffer.byteLength(content, 'latin1') };
  const lines = Object.entries({ Host: 'localhost', ...type, ...headers, ...length });
  const head = [`${method} ${target} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return [...head, '', content].join('\r\n');
}

/**
 * Repeats calls in turn on this many connections, each time as soon as there is a response. Costs less CPU than an HTTP
 * client.
 */
export async function sendContinuously(
  port: number,
  connections: number,
  calls: readonly string[],
  until: AbortSignal,
): Promise<Tally> {
  const tally: Tally = new Map();
  let turn = 0;
  const next = () => calls[turn++ % calls.length]!;
  const caller = async () => {
    while (!until.aborted) {
      await callOnOneConnection(port, next, until, tally);
      await pause(CONNECT_AGAIN_MS);
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  return tally;
}

export function count(tally: Tally, status: string): void {
  tally.set(status, (tally.get(status) ?? 0) + 1);
}

/** Resolves when the connection closes or the signal aborts. */
async function callOnOneConnection(port: number, next: () => string, until: AbortSignal, tally: Tally): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, signal: until });
  let received = '';
  socket.write(next(), 'latin1');
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const answer = answerIn(received);
    if (answer === null) return;
    received = '';
    count(tally, answer);
    socket.write(next(), 'latin1');
  });
  // an error, such as that of the signal, counts as a close
  socket.on('error', () => {});
  await new Promise((closed) => socket.on('close', closed));
  count(tally, until.aborted ? 'no response' : 'closed by the server');
}

/** The status of a complete response; null if it is incomplete. A response has a Content-Length or no body. */
function answerIn(text: string): string | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, end))?.[1] ?? 0);
  return text.length >= end + 4 + length ? text.slice(9, 12) : null;
}

/** Opens this many connections, calls `talk` with each, and closes them when the signal aborts. */
export async function holdConnections(
  port: number,
  connections: number,
  until: AbortSignal,
  talk: (socket: Socket) => void,
  options: Pick<TcpNetConnectOpts, 'onread'> = {},
): Promise<Tally> {
  const tally: Tally = new Map();
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect({ port, host: '127.0.0.1', ...options });
    socket.on('connect', () => {
      count(tally, 'connected');
      talk(socket);
    });
    socket.on('error', () => {});
    socket.on('close', () => count(tally, until.aborted ? 'open until the end' : 'closed by the server'));
    return socket;
  });
  await ended(until);
  const open = sockets.filter(({ closed }) => !closed);
  await Promise.all(open.map((socket) => once(socket.destroy(), 'close')));
  return tally;
}

/** Resolves when the signal aborts. */
export async function ended(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
