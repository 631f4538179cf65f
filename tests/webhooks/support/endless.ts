import { createCipheriv, createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { SELF_SIGNED } from './self-signed.ts';

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

/** A record of HelloRequest messages. A client passes over them while it waits for the first message of TLS. */
const HELLO_REQUESTS = `\x16\x03\x03\x40\0${'\0'.repeat(0x4000)}`;
/** A NewSessionTicket message: its type and length; the ticket's lifetime, age, nonce, bytes and extensions. */
const TICKET = '04000025 00001c20 00000000 080000000000000000 001000000000000000000000000000000000 0000';

export const pourHelloRequests = (socket: Socket) => pour(socket, ['HelloRequests', '', HELLO_REQUESTS]);

/** Answers a request with 512 KiB of session tickets. Node's server sends two. */
export function pourTickets(socket: Socket): void {
  const server = new TLSSocket(socket, { ...SELF_SIGNED, isServer: true, ciphers: 'TLS_AES_128_GCM_SHA256' });
  const secrets: Record<string, string> = {};
  server.on('error', () => {});
  server.on('keylog', (line) => {
    const [label, , secret] = line.toString().trim().split(' ');
    secrets[label!] = secret!;
  });
  // RFC 8446, sections 7.1 and 5.2
  const derive = (label: string, length: number) =>
    createHmac('sha256', Buffer.from(secrets.SERVER_TRAFFIC_SECRET_0!, 'hex'))
      .update(`\0${String.fromCharCode(length, label.length)}${label}\0\x01`)
      .digest()
      .subarray(0, length);
  server.once('data', () => {
    const message = Buffer.from(`${TICKET.replaceAll(' ', '').repeat(390)}16`, 'hex');
    const header = Buffer.from([0x17, 3, 3, (message.length + 16) >> 8, (message.length + 16) & 0xff]);
    for (let record = 2; record < 34; record += 1) {
      const nonce = derive('tls13 iv', 12);
      nonce[11]! ^= record;
      const cipher = createCipheriv('aes-128-gcm', derive('tls13 key', 16), nonce).setAAD(header);
      socket.write(Buffer.concat([header, cipher.update(message), cipher.final(), cipher.getAuthTag()]));
    }
  });
}
