import { describe, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../server/domain/time.ts';
import { newLatch } from '../support/latch.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';
import { newSender, REQUEST, send, startRawReceiver } from './support/sender.ts';

describe('connections', () => {
  const deliver = async (sender: ReturnType<typeof newSender>, { url }: Receiver) =>
    expect(await sender.send({ ...REQUEST, url })).toMatchObject({ delivered: true });

  /** A response of a receiver that keeps connections open for ten minutes. */
  const KEEPING = 'HTTP/1.1 204 No Content\r\nKeep-Alive: timeout=600\r\n\r\n';

  test('use the result of a single DNS lookup', async () => {
    const receiver = await startReceiver((_, res) => res.end('receiver'));
    const answers = ['127.0.0.1', '192.0.2.1'];
    const lookup = vi.fn(async () => [{ address: answers.shift()!, family: 4 }]);
    const outcome = await send(`http://hooks.example.com:${receiver.port}`, { lookup });
    expect(outcome).toMatchObject({ answer: 'receiver', delivered: true });
    expect(lookup.mock.calls).toEqual([['hooks.example.com']]);
  });

  test('are kept for the next webhook', async () => {
    const receiver = await startRawReceiver(KEEPING);
    const sender = newSender({ keptAliveMs: HOUR_MS });
    for (let times = 0; times < 10; times += 1) await deliver(sender, receiver);
    // the first connection may still be busy when the second webhook goes out
    expect(receiver.connections()).toBeLessThanOrEqual(2);
  });

  test('are closed soon when they are idle, even if the receiver would keep them longer', async () => {
    const closed = newLatch();
    const { url } = await startRawReceiver(KEEPING, (socket) => socket.on('close', closed.open));
    expect(await send(url, { keptAliveMs: 20 })).toMatchObject({ delivered: true });
    await closed.promise;
  });

  test('that the receiver closes in between are opened again', async () => {
    const closed = newLatch();
    const receiver = await startReceiver((req, res) => {
      res.end();
      req.socket.on('close', closed.open);
      res.on('finish', () => req.socket.end());
    });
    const sender = newSender();
    await deliver(sender, receiver);
    await closed.promise;
    await deliver(sender, receiver);
    expect(receiver.connections()).toBe(2);
  });

  test('that hang do not delay another webhook to the same receiver', async () => {
    const hanging = 40;
    const allHang = newLatch();
    let arrived = 0;
    const receiver = await startReceiver((req, res) => {
      if (req.url !== '/hanging') return void res.end();
      arrived += 1;
      if (arrived === hanging) allHang.open();
    });
    const sender = newSender();
    const sendTo = (path: string) => sender.send({ ...REQUEST, url: new URL(path, receiver.url).href });
    const waiting = Array.from({ length: hanging }, () => sendTo('/hanging'));
    await allHang.promise;
    expect(await sendTo('/answering')).toMatchObject({ delivered: true });
    await sender.close();
    expect((await Promise.all(waiting)).filter(({ delivered }) => delivered)).toEqual([]);
  });
});
