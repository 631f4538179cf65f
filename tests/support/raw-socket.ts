import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';

export const HOST = 'Host: localhost\r\n';
/** Closes the connection. The server responds to it only if the requests before it left the stream intact. */
export const LAST = `GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`;

/** The head of a request that closes the connection. @param lines further headers */
export function lastHead(method: string, target: string, lines: readonly string[] = [], host = 'localhost'): string {
  return [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', ''].join('\r\n');
}

/** A response as it was received. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Sends bytes (Latin-1) that fetch cannot send. Returns all responses once the server closes the connection. Throws an
 * Error when they are not valid HTTP/1.1. @param pieces sent one by one; a last `null` ends the client's side
 */
export async function answersTo(baseUrl: string, ...pieces: Array<string | null>): Promise<WireAnswer[]> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).setNoDelay();
  const received = buffer(socket);
  // awaited below, unless the connection fails before
  received.catch(() => {});
  await once(socket, 'connect');
  for (const piece of pieces) {
    if (piece === null) socket.end();
    else await new Promise((sent) => socket.write(piece, 'latin1', sent));
  }
  const bytes = await received;
  socket.destroy();
  return [...answersIn(bytes.toString('latin1'), pieces[0]?.startsWith('HEAD ') ?? false)];
}

/** The only response of an exchange. Fails when there are none or several. */
export async function answerTo(baseUrl: string, ...pieces: Array<string | null>): Promise<WireAnswer> {
  const [answer, ...more] = await answersTo(baseUrl, ...pieces);
  if (answer === undefined || more.length > 0)
    throw new Error(`Got ${answer === undefined ? 0 : more.length + 1} responses, expected 1.`);
  return answer;
}

/** @param isToHead a response to HEAD has the length of a body, but no body (RFC 9110, section 9.3.2) */
export function* answersIn(text: string, isToHead: boolean): Generator<WireAnswer> {
  let rest = text;
  while (rest !== '') {
    const [head, status, fields] = /^HTTP\/1\.1 (\d{3}) [\w -]+\r\n((?:[\w-]+: [^\r\n]*\r\n)*)\r\n/.exec(rest) ?? [];
    if (head === undefined || fields === undefined) throw new Error(`Not an HTTP response: ${JSON.stringify(rest)}`);
    const lines = fields.split('\r\n').slice(0, -1);
    const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
    const end = head.length + (isToHead ? 0 : Number(headers.get('content-length') ?? 0));
    if (rest.length < end) throw new Error(`Incomplete response: ${JSON.stringify(rest)}`);
    yield { status: Number(status), headers, body: rest.slice(head.length, end) };
    rest = rest.slice(end);
  }
}
