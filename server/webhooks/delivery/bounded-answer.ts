import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * A receiver's response: informational responses, headers, sizes of chunks, body and trailers. TLS handshakes and
 * earlier responses on the connection do not count.
 * @beyond the connection ends; a whole head with a 2xx status counts as success, anything less as a failure
 * @heldBy tests/webhooks/endless-answers.test.ts
 */
export const MOST_ANSWER_BYTES = 64 * 1024;

/** How many bytes of the current response each connection has brought. */
const received = new WeakMap<object, number>();

// undici publishes this when it begins a request on a connection
subscribe('undici:client:sendHeaders', (message) => {
  received.delete((message as { readonly socket: object }).socket);
});

/** Bounds what undici reads from the connections that it opens. */
export function boundAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...opened) => {
      if (opened[1]) boundReads(opened[1]);
      callback(...opened);
    });
}

/** undici takes the bytes with `read`, and counts only the body: it would read endless heads until the attempt ends. */
function boundReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    const left = MOST_ANSWER_BYTES - (received.get(socket) ?? 0);
    if (left <= 0) {
      socket.destroy(new Error(`The response is longer than ${MOST_ANSWER_BYTES / 1024} KiB.`));
      return null;
    }
    const bytes: Buffer | null = read(size);
    if (bytes === null) return null;
    received.set(socket, MOST_ANSWER_BYTES - left + bytes.length);
    // what comes before the bound can be a whole head, which counts
    return bytes.subarray(0, left);
  };
}
