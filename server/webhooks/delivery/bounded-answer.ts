import { AsyncLocalStorage } from 'node:async_hooks';
import { constants } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { type ConnectionOptions, createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import type { buildConnector } from 'undici';
import { inTurns } from '../../limits/in-turns.ts';
import { withRests } from '../../limits/with-rests.ts';

/**
 * A receiver's response: informational responses, headers, sizes of chunks, body and trailers. TLS handshakes and
 * earlier responses on the connection do not count.
 * @beyond the connection ends; a whole head with a 2xx status counts as success, anything less as a failure
 * @heldBy tests/webhooks/endless-answers.test.ts
 */
export const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Bytes of receivers' responses that one turn of the event loop parses, after the first of each, and four times as many of
 * TLS. 64 KiB of short headers take a tenth of a second.
 * @beyond the next turn continues, and requests are served in between
 * @heldBy tests/webhooks/endless-answers.test.ts
 */
export const MOST_BYTES_IN_A_TURN = 1024;

/**
 * All bytes of a TLS connection for a response, with session tickets and changes of keys.
 * @beyond the connection ends, as after a response that is too long
 * @heldBy tests/webhooks/endless-answers.test.ts
 */
const MOST_TLS_BYTES = 128 * 1024;

/**
 * Bytes of a TLS connection until the receiver is authenticated: mostly the chain of its certificates, which is checked
 * as a whole. Chains in use have up to 10 KB.
 * @beyond the connection ends, and the attempt fails
 * @heldBy tests/webhooks/endless-answers.test.ts
 */
const MOST_HANDSHAKE_BYTES = 16 * 1024;

/**
 * Milliseconds of CPU time in which a piece of a TLS handshake is checked. A usual chain takes one or two, and one of 16 KiB can take
 * twenty: OpenSSL also checks keys of unusual length.
 * @beyond the application's further handshakes wait for fifty times the excess
 * @heldBy tests/limits/with-rests.test.ts
 */
const LONGEST_FREE_PIECE_MS = 5;

/** The application whose request opens a connection. */
export const openingFor = new AsyncLocalStorage<string>();

const inTurnOf = withRests(LONGEST_FREE_PIECE_MS);

/** Reads of connections run in a turn of the event loop each. */
const inLaterTurn = inTurns(1);

/** How many bytes of the current response each connection has brought. */
const received = new WeakMap<object, number>();
/** The sockets under those with TLS. */
const carriers = new WeakMap<object, Socket>();
/** Those whose receiver has been authenticated. */
const authenticated = new WeakSet<Socket>();
/** The last characters of its informational responses so far; null: its final head has begun. */
const informed = new WeakMap<object, string | null>();

// undici publishes this when it begins a request on a connection
subscribe('undici:client:sendHeaders', (message) => {
  const { socket } = message as { readonly socket: object };
  received.delete(socket);
  received.delete(carriers.get(socket) ?? socket);
  informed.delete(socket);
});

/** The status of a head: the first line, and a line after an empty one. */
const STATUS = /\n\r?\nHTTP\/1\.[01] (\d\d\d)/g;
const BEFORE_LAST_DIGIT = '\n\r\nHTTP/1.1 10'.length;

/** undici gives up at a 100 Continue, which a receiver may send unasked (RFC 9110, section 15.2.1). It passes over a 103. */
function turn100Into103(socket: object, bytes: Buffer): void {
  const before = informed.has(socket) ? informed.get(socket)! : '\n\n';
  if (before === null) return;
  const text = before + bytes.toString('latin1');
  informed.set(socket, text.slice(-BEFORE_LAST_DIGIT));
  for (const { index, 0: line, 1: status } of text.matchAll(STATUS)) {
    if (!status!.startsWith('1')) return void informed.set(socket, null);
    if (status === '100') bytes[index + line.length - 1 - before.length] = '3'.charCodeAt(0);
  }
}

/**
 * What TLS offers to receivers, because their choice holds up others: without a curve, an exchange of keys can take 0.3 s.
 * A renegotiation is a further handshake.
 */
const OFFERED = {
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  ecdhCurve: 'X25519:P-256:P-384',
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
};

/** undici's connector, with bounds for what its connections read. */
export function boundedConnector(
  build: typeof buildConnector,
  options: ConnectionOptions = {},
): buildConnector.connector {
  // each would take 0.2 ms
  const connect = build({ ...options, secureContext: createSecureContext({ ...options, ...OFFERED }) });
  return (target, callback) => {
    const carrier = target.protocol === 'https:' ? newCarrier(openingFor.getStore() ?? target.hostname) : undefined;
    connect({ ...target, ...(carrier && { httpSocket: carrier }) }, (...opened) => {
      const [, socket] = opened;
      if (socket) boundReads(socket);
      if (socket && carrier) {
        carriers.set(socket, carrier);
        authenticated.add(carrier);
      }
      // Node can report an error of TLS later than this, which undici does not expect: it would end the thread
      socket?.once('close', () => socket.removeAllListeners('error').on('error', () => {}));
      callback(...opened);
    });
    // after TLS has begun, which would read past us from a socket that already connects
    carrier?.connect({ ...options, host: target.hostname, port: Number(target.port || 443), noDelay: true });
  };
}

const CARRIED = Buffer.alloc(4 * MOST_BYTES_IN_A_TURN);

/** A socket that counts what TLS reads. `boundReads` sees only what TLS passes on. @param owner see `openingFor` */
function newCarrier(owner: string): Socket {
  const resume = () => {
    if (!carrier.isPaused()) carrier.resume();
  };
  const callback = (size: number) => {
    const isAuthenticated = authenticated.has(carrier);
    const most = isAuthenticated ? MOST_TLS_BYTES : MOST_HANDSHAKE_BYTES;
    const total = (received.get(carrier) ?? 0) + size;
    received.set(carrier, total);
    const bytes = CARRIED.subarray(0, size);
    if (total > most) {
      carrier.destroy(new Error(`TLS brought more than ${most / 1024} KiB${isAuthenticated ? '' : ' to begin'}.`));
    } else if (isAuthenticated) {
      // TLS takes the bytes at once
      carrier.emit('data', bytes);
      inLaterTurn(resume);
    } else {
      const kept = Buffer.from(bytes);
      void inTurnOf(owner, () => void carrier.emit('data', kept)).then(resume);
    }
    // reads no further until then, or until TLS has room again
    return false;
  };
  // its types lack `onread`
  const carrier = new Socket({ onread: { buffer: CARRIED, callback } } as object);
  return carrier;
}

/**
 * undici takes the bytes with `read`, and counts only the body: it would read endless heads until the attempt ends. It
 * also parses all that it has taken after it gave up, with an error for each header.
 */
function boundReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  let hasRead = false;
  const goOn = () => {
    hasRead = false;
    if (!socket.destroyed) socket.emit('readable');
  };
  socket.read = (size?: number): Buffer | null => {
    // Node's own calls, which take nothing
    if (size === 0) return read(0);
    if (hasRead || socket.destroyed) return null;
    const left = MOST_ANSWER_BYTES - (received.get(socket) ?? 0);
    if (left <= 0) {
      socket.destroy(new Error(`The response is longer than ${MOST_ANSWER_BYTES / 1024} KiB.`));
      return null;
    }
    // what comes before the bound can be a whole head, which counts
    const most = Math.min(left, MOST_BYTES_IN_A_TURN);
    const bytes: Buffer | null = read(socket.readableLength > most ? most : undefined);
    if (bytes === null) return null;
    hasRead = true;
    inLaterTurn(goOn);
    received.set(socket, MOST_ANSWER_BYTES - left + bytes.length);
    turn100Into103(socket, bytes);
    return bytes;
  };
}
