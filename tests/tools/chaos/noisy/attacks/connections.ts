import { SECOND_MS } from '../../../../../server/domain/time.ts';
import type { Attack } from '../attack.ts';
import { ended, holdConnections, requestOf } from '../wire.ts';

const UNREAD_CONNECTIONS = 10;
const UNREAD_REQUESTS = 1000;
const SLOW_CONNECTIONS = 2000;
const READ_EVERY_MS = 1000;
const DOCUMENTS = ['/openapi.json', '/openapi.yaml'];

/** Requests are small and documents are large, so a client that reads nothing makes the server hold all documents. */
export const unread: Attack = {
  name: 'unread',
  what: `${UNREAD_CONNECTIONS} connections pipeline ${UNREAD_REQUESTS} requests for documents each, and read no response`,
  mostDescriptors: 500,
  mostMegabytes: 1000,
  run: ({ server }, until) =>
    holdConnections(
      server.port,
      UNREAD_CONNECTIONS,
      (socket) => {
        socket.pause();
        const each = Array.from({ length: UNREAD_REQUESTS }, (_, i) =>
          requestOf('GET', DOCUMENTS[i % DOCUMENTS.length]!),
        );
        socket.write(each.join(''), 'latin1');
      },
      until,
    ),
};

export const slowReaders: Attack = {
  name: 'slow-readers',
  what: `${SLOW_CONNECTIONS} connections request a document and read one byte a second`,
  mostDescriptors: SLOW_CONNECTIONS + 500,
  mostMegabytes: 1000,
  run: async ({ server }, until) => {
    const sockets = new Set<{ resume(): unknown }>();
    const readOn = setInterval(() => {
      for (const socket of sockets) socket.resume();
    }, READ_EVERY_MS);
    void ended(until).then(() => clearInterval(readOn));
    return holdConnections(
      server.port,
      SLOW_CONNECTIONS,
      (socket) => {
        socket.write(requestOf('GET', DOCUMENTS[sockets.size % DOCUMENTS.length]!), 'latin1');
        sockets.add(socket);
      },
      until,
      // the buffer has room for one byte, and false pauses the socket after each read, until `readOn` resumes it
      { onread: { buffer: new Uint8Array(1), callback: () => false } },
    );
  },
};

const BACK_WITHIN_MS = 10 * SECOND_MS;

export const silentDatabase: Attack = {
  name: 'silent-database',
  what: `the open connections to PostgreSQL stop responding; calls may fail for ${BACK_WITHIN_MS / SECOND_MS} s`,
  engines: ['postgres'],
  canSilenceDatabase: true,
  forgivenMs: BACK_WITHIN_MS,
  attackMs: BACK_WITHIN_MS + 6 * SECOND_MS,
  run: async ({ silenceDatabase }, until) => {
    silenceDatabase();
    await ended(until);
    return new Map([['silenced databases', 1]]);
  },
};
