import { buildConnector } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  boundedConnector,
  MOST_ANSWER_BYTES,
  MOST_BYTES_IN_A_TURN,
} from '../../server/webhooks/delivery/bounded-answer.ts';
import { newLatch } from '../support/latch.ts';
import { AFTER_A_HEAD, BEFORE_A_HEAD, type Endless, pour, pourHelloRequests, pourTickets } from './support/endless.ts';
import { startSocketReceiver, startTlsSocketReceiver } from './support/receiver.ts';
import { SELF_SIGNED } from './support/self-signed.ts';
import { newSender, REQUEST } from './support/sender.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const AT_ONCE = 8;

type Connect = buildConnector.connector;

/** A sender that trusts the certificate of the tests. */
const trusting = () => newSender({ connect: boundedConnector(buildConnector, { ca: SELF_SIGNED.cert }) });

describe.each([
  ['in the clear', startSocketReceiver, newSender],
  ['with TLS', startTlsSocketReceiver, trusting],
])('an answer without end, %s', (_, start, senderOf) => {
  const attempt = async (answer: Endless) => {
    const ended = newLatch();
    const { url } = await start((socket) => {
      socket.once('close', ended.open);
      pour(socket, answer);
    });
    const outcome = await senderOf().send({ ...REQUEST, url });
    // the server ends the connection; otherwise the receiver pours until the test ends
    await ended.promise;
    return outcome;
  };

  test.each(BEFORE_A_HEAD)('of %s fails, and says why', async (...answer) => {
    const outcome = await attempt(answer);
    expect(outcome).toMatchObject({ status: null, delivered: false });
    expect(outcome.error).toMatch(/^The response is longer than 64 KiB\.$|overflow/i);
  });

  test.each(AFTER_A_HEAD)('of %s is a delivery, because its head has arrived', async (...answer) => {
    expect(await attempt(answer)).toMatchObject({ status: 200, error: null, delivered: true });
  });
});

test.each([...BEFORE_A_HEAD, ...AFTER_A_HEAD])(
  'answers without end of %s are parsed in pieces, and other work runs in between',
  async (...answer) => {
    let turn = 0;
    const count = () => {
      turn += 1;
      turning = setImmediate(count);
    };
    let turning = setImmediate(count);
    onTestFinished(() => clearImmediate(turning));
    const pieces: Array<{ readonly size: number; readonly turn: number }> = [];
    const bounded = boundedConnector(buildConnector);
    const watching: Connect = (options, callback) =>
      bounded(options, (...opened) => {
        const [, socket] = opened;
        const read = socket?.read.bind(socket);
        if (socket && read)
          socket.read = (size) => {
            const bytes = read(size);
            if (bytes !== null) pieces.push({ size: bytes.length, turn });
            return bytes;
          };
        callback(...opened);
      });
    const { url } = await startSocketReceiver((socket) => pour(socket, answer));
    const sender = newSender({ connect: watching });
    await Promise.all(Array.from({ length: AT_ONCE }, () => sender.send({ ...REQUEST, url })));
    expect(Math.max(...pieces.map(({ size }) => size))).toBeLessThanOrEqual(MOST_BYTES_IN_A_TURN);
    // the first piece of a response is parsed at once, and so is one that had not arrived in its turn
    expect(new Set(pieces.map((piece) => piece.turn)).size).toBeGreaterThan(pieces.length / 2);
    // undici gives up on headers at 16 KiB, but parses what it has taken: each further header costs an error with its stack
    const total = pieces.reduce((sum, { size }) => sum + size, 0) / AT_ONCE;
    const isOfHeaders = /header|trailer/.test(answer[0]);
    expect(total).toBeLessThanOrEqual(isOfHeaders ? MOST_ANSWER_BYTES / 2 : MOST_ANSWER_BYTES);
  },
);

test.each([
  ['a handshake', pourHelloRequests, '16 KiB to begin'],
  ['session tickets', pourTickets, '128 KiB'],
])('TLS without end, of %s, ends the connection', async (_, pourTls, most) => {
  const ended = newLatch();
  const { port } = await startSocketReceiver((socket) => {
    socket.once('close', ended.open);
    pourTls(socket);
  });
  const outcome = await trusting().send({ ...REQUEST, url: `https://127.0.0.1:${port}` });
  expect(outcome).toMatchObject({ status: null, error: `TLS brought more than ${most}.` });
  await ended.promise;
});

test('a chain of certificates has at most 16 KiB, because it is checked as a whole', async () => {
  const cert = SELF_SIGNED.cert.repeat(50);
  const { url } = await startTlsSocketReceiver((socket) => socket.destroy(), { cert });
  const error = 'TLS brought more than 16 KiB to begin.';
  expect(await trusting().send({ ...REQUEST, url })).toMatchObject({ status: null, error });
});

describe('a receiver cannot choose TLS that takes long', () => {
  test.each([
    ['a group without a curve', { ecdhCurve: 'ffdhe8192' }],
    ['a renegotiation', { maxVersion: 'TLSv1.2' }],
  ] as const)('with %s', async (_, options) => {
    const { url } = await startTlsSocketReceiver((socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', () => socket.renegotiate({}, () => socket.end(`${OK}\r\n`)));
    }, options);
    expect(await trusting().send({ ...REQUEST, url })).toMatchObject({ delivered: false });
  });

  test('with Diffie-Hellman without a curve', async () => {
    const hello = newLatch<Buffer>();
    const { port } = await startSocketReceiver((socket) => {
      socket.once('data', (bytes) => {
        hello.open(bytes);
        socket.destroy();
      });
    });
    await newSender().send({ ...REQUEST, url: `https://127.0.0.1:${port}` });
    const bytes = await hello.promise;
    // after headers, a version, 32 random bytes and a session's id of 32 bytes
    const ciphers = bytes
      .subarray(78, 78 + bytes.readUInt16BE(76))
      .toString('hex')
      .match(/..../g);
    expect(ciphers).toContain('c02f');
    for (const dhe of ['009e', '009f', 'ccaa', '0067', '006b', '0033', '0039']) expect(ciphers).not.toContain(dhe);
  });
});

test('an error that Node reports after a TLS connection has closed harms nothing', async () => {
  const closed = newLatch();
  const bounded = boundedConnector(buildConnector, { ca: SELF_SIGNED.cert });
  let opened: Parameters<buildConnector.Callback>[1] = null;
  const sender = newSender({
    connect: (options, callback) =>
      bounded(options, (...result) => {
        opened = result[1]?.once('close', closed.open) ?? null;
        callback(...result);
      }),
  });
  const { url } = await startTlsSocketReceiver((socket) => socket.on('data', () => socket.end(`${OK}\r\n`)));
  expect(await sender.send({ ...REQUEST, url })).toMatchObject({ delivered: true });
  await closed.promise;
  const late = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' });
  expect(() => opened?.emit('error', late)).not.toThrow();
});

test.each([
  ['in the clear', startSocketReceiver, newSender],
  ['with TLS', startTlsSocketReceiver, trusting],
])('earlier answers on a kept connection do not count, %s', async (_, start, senderOf) => {
  const body = 'x'.repeat(15_000);
  const receiver = await start((socket) => {
    socket.on('data', (sent) => {
      if (sent.toString().endsWith('}')) socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`);
    });
  });
  const sender = senderOf();
  for (let i = 0; i < 20; i += 1) {
    expect(await sender.send({ ...REQUEST, url: receiver.url })).toMatchObject({ status: 200, error: null });
  }
  // undici opens a second one before the first is free; without the reset, each would end after four answers
  expect(receiver.connections()).toBeLessThanOrEqual(2);
});
