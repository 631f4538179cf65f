import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createSendingThread } from '../../server/webhooks/delivery/sending-thread.ts';
import { newLatch } from '../support/latch.ts';
import { startReceiver } from './support/receiver.ts';
import { BODY, REQUEST } from './support/sender.ts';

test('a thread sends webhooks; when it ends, its attempts fail, and the next one begins another', async () => {
  const rules = { allowPrivate: true, requireHttps: false, outdatedPortsUntil: 0 };
  const sender = createSendingThread({ ...rules, logger: pino({ level: 'silent' }) });
  onTestFinished(() => sender.close());
  const hung = newLatch();
  const { url } = await startReceiver((req, res) => {
    if (req.url === '/hang') return hung.open();
    req.pipe(res);
  });
  const answered = { status: 200, answer: BODY, error: null, delivered: true };
  expect(await sender.send({ ...REQUEST, url })).toMatchObject(answered);
  const hanging = sender.send({ ...REQUEST, url: new URL('/hang', url).href });
  await hung.promise;
  await sender.close();
  expect(await hanging).toMatchObject({ status: null, error: 'The server stopped sending.', delivered: false });
  expect(await sender.send({ ...REQUEST, url })).toMatchObject(answered);
});
