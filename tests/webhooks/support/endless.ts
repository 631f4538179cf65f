import type { Duplex } from 'node:stream';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

/** What a receiver sends first, and then without end. */
export type Endless = readonly [what: string, start: string, rest: string];

export const BEFORE_A_HEAD: readonly Endless[] = [
  ['informational responses', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['blank lines before the status', '', '\r\n'],
  ['a reason phrase', 'HTTP/1.1 200 ', 'O'],
  ['headers', OK, 'X-More: and more\r\n'],
  ['one header', `${OK}X-More: `, 'x'],
];
export const AFTER_A_HEAD: readonly Endless[] = [
  ['a body', `${OK}\r\n`, 'x'],
  ['the extension of a chunk', `${CHUNKED}1;`, 'x'],
  ['the size of a chunk', CHUNKED, '0'],
  ['chunks of one byte', CHUNKED, '1\r\nx\r\n'],
  ['trailers', `${CHUNKED}0\r\n`, 'X-More: and more\r\n'],
];

/** Writes as fast as the other side reads, from its first bytes until it ends the connection. */
export function pour(socket: Duplex, [, start, rest]: Endless): void {
  const piece = rest.repeat(Math.ceil(16_384 / rest.length));
  const more = () => {
    while (!socket.destroyed && socket.write(piece)) {}
  };
  socket.on('error', () => {});
  socket.on('drain', more);
  socket.once('data', () => {
    socket.write(start);
    more();
  });
}
