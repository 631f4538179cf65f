import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type NodeRequest, rawBodyOfNode } from '../../client/webhooks/node/raw-body.ts';
import { webhookHandler as nodeWebhookHandler } from '../../client/webhooks/node/webhook-handler.ts';
import { MAX_BODY_BYTES, rawBodyOfFetch } from '../../client/webhooks/raw-body.ts';
import { webhookHandler } from '../../client/webhooks/webhook-handler.ts';
import { ARRIVED, expressApp, listen, listenAt, RECEIVERS, receiver, recording } from './support/receivers.ts';
import { signed } from './support/signed.ts';

describe.each(['Express without a parser', 'node:http', 'the Fetch API'])('%s', (name) => {
  test('returns 413 for a body over 1 MB, with or without Content-Length', async () => {
    const { send, handled, errors } = await receiver({}, RECEIVERS[name]);
    const largest = JSON.stringify(ARRIVED).padEnd(MAX_BODY_BYTES);
    expect((await send(signed(largest))).status).toBe(204);
    const request = signed(`${largest} `);
    expect((await send(request)).status).toBe(413);
    expect((await send({ ...request, body: new Blob([request.body as string]).stream() })).status).toBe(413);
    expect(handled).toHaveLength(1);
    expect(errors).toMatchObject([{ error: { status: 413 } }, { error: { status: 413 } }]);
  });

  test('reads a body that arrives in pieces', async () => {
    const { send, handled } = await receiver({}, RECEIVERS[name]);
    const request = signed(ARRIVED);
    const bytes = new TextEncoder().encode(request.body as string);
    const body = ReadableStream.from([...bytes].map((byte) => Uint8Array.of(byte)));
    expect((await send({ ...request, body })).status).toBe(204);
    expect(handled).toEqual([ARRIVED]);
  });
});

/** Gives the bytes of a body one by one, and puts the next one where the previous one was. */
function* inOnePlace(text: string): Generator<Buffer> {
  const piece = Buffer.alloc(1);
  for (const byte of Buffer.from(text)) {
    piece[0] = byte;
    yield piece;
  }
}

describe('the pieces of a body are copied, because each would take more memory than its byte:', () => {
  const text = 'x'.repeat(30) + 'y'.repeat(30);

  test('in node:http', async () => {
    const request = Object.assign(new Readable({ read: () => {} }), { headers: {} });
    const body = rawBodyOfNode(request as NodeRequest);
    for (const piece of inOnePlace(text)) request.emit('data', piece);
    request.push(null);
    expect(Buffer.from((await body) as Uint8Array).toString()).toBe(text);
  });

  test('with the Fetch API', async () => {
    const pieces = inOnePlace(text);
    const pull = (stream: ReadableStreamDefaultController) => {
      const { done, value } = pieces.next();
      if (done) stream.close();
      else stream.enqueue(value);
    };
    const body = new ReadableStream({ pull }, { highWaterMark: 0 });
    const request = new Request('http://receiver', { method: 'POST', body, duplex: 'half' });
    expect(new TextDecoder().decode(await rawBodyOfFetch(request))).toBe(text);
  });
});

describe('a body whose Content-Length is over 1 MB is rejected before it arrives', () => {
  const tooLarge = String(MAX_BODY_BYTES + 1);

  test('in Express', async () => {
    const url = await listenAt(expressApp(recording().options));
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(`POST / HTTP/1.1\r\nHost: receiver\r\nContent-Length: ${tooLarge}\r\n\r\n`);
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('with the Fetch API', async () => {
    const headers = { ...signed(ARRIVED).headers, 'Content-Length': tooLarge };
    const body = new ReadableStream();
    const request = new Request('http://receiver', { method: 'POST', headers, body, duplex: 'half' });
    expect((await webhookHandler(recording().options)(request)).status).toBe(413);
  });
});

describe('a body that something else has read', () => {
  test('as JSON in Express returns a 500 that says so', async () => {
    const { options, errors } = recording();
    const send = await listen(express().use(express.json()).post('/', nodeWebhookHandler(options)));
    const answer = await send(signed(ARRIVED));
    expect(answer.status).toBe(500);
    expect(await answer.text()).toMatch(/express\.json\(\).*Mount webhookHandler before.*express\.raw\(/);
    expect(errors).toMatchObject([{ name: 'WebhookBodyError', status: 500 }]);
  });

  test('and that is empty is not an event', async () => {
    const { options, handled } = recording();
    const send = await listen(express().use(express.json()).post('/', nodeWebhookHandler(options)));
    const request = { ...signed(''), signal: AbortSignal.timeout(2_000) };
    expect((await send(request)).status).toBe(400);
    expect((await send({ ...request, headers: { 'Content-Type': 'application/json' } })).status).toBe(401);
    expect(handled).toEqual([]);
  });

  test('with the Fetch API returns a 500 that says so', async () => {
    const { options } = recording();
    const request = new Request('http://receiver', signed(ARRIVED));
    await request.json();
    const answer = await webhookHandler(options)(request);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('clone()');
  });
});

describe('an aborted body', () => {
  const begun = 'POST / HTTP/1.1\r\nHost: receiver\r\nContent-Length: 100\r\n\r\n{"event_id":';
  const breakOff = (url: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(begun, () => socket.resetAndDestroy());
  };
  const brokeOff = { name: 'WebhookBodyError', message: expect.stringContaining('broke off') };

  test('in Express is reported, and the next body is received', async () => {
    const { options, handled, errors } = recording();
    const url = await listenAt(expressApp(options));
    breakOff(url);
    await vi.waitFor(() => expect(errors).toMatchObject([brokeOff]));
    expect((await fetch(url, signed(ARRIVED))).status).toBe(204);
    expect(handled).toEqual([ARRIVED]);
  });

  test('is reported even if it is aborted before the handler listens', async () => {
    const { options, errors } = recording();
    const url = await listenAt(expressApp(options, (request, _, next) => request.on('close', () => next())));
    breakOff(url);
    await vi.waitFor(() => expect(errors).toMatchObject([brokeOff]));
  });

  test('with the Fetch API returns a 400', async () => {
    const { options, errors } = recording();
    const body = new ReadableStream({ pull: (stream) => stream.error(new Error('gone')) });
    const answer = await webhookHandler(options)(
      new Request('http://receiver', { ...signed(ARRIVED), body, duplex: 'half' }),
    );
    expect(answer.status).toBe(400);
    expect(errors).toMatchObject([{ name: 'WebhookBodyError', cause: { message: 'gone' } }]);
  });
});
