import { Agent, buildConnector } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { boundAnswers } from '../../server/webhooks/delivery/bounded-answer.ts';
import { type Sender, sendWebhook } from '../../server/webhooks/delivery/send.ts';
import { newLatch } from '../support/latch.ts';
import { AFTER_A_HEAD, BEFORE_A_HEAD, type Endless, pour } from './support/endless.ts';
import { startSocketReceiver, startTlsSocketReceiver } from './support/receiver.ts';
import { SELF_SIGNED } from './support/self-signed.ts';
import { newSender, REQUEST } from './support/sender.ts';

const OK = 'HTTP/1.1 200 OK\r\n';

/** A sender that trusts the certificate of the tests. */
function trusting(): Sender {
  const agent = new Agent({ connect: boundAnswers(buildConnector({ ca: SELF_SIGNED.cert })) });
  onTestFinished(() => agent.destroy());
  return { ...newSender(), agent: async () => agent };
}

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
    const outcome = await sendWebhook(senderOf(), { ...REQUEST, url });
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

test('earlier answers on a kept connection do not count', async () => {
  const body = 'x'.repeat(15_000);
  const receiver = await startSocketReceiver((socket) => {
    socket.on('data', (sent) => {
      if (sent.toString().endsWith('}')) socket.write(`${OK}Content-Length: ${body.length}\r\n\r\n${body}`);
    });
  });
  const sender = newSender();
  for (let i = 0; i < 20; i += 1) {
    expect(await sendWebhook(sender, { ...REQUEST, url: receiver.url })).toMatchObject({ status: 200, error: null });
  }
  // undici opens a second one before the first is free; without the reset, each would end after four answers
  expect(receiver.connections()).toBeLessThanOrEqual(2);
});
