import { readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { parse } from 'yaml';
import { WebhookBodyError, WebhookSignatureError } from '../../client/webhooks/errors.ts';
import { verifySignature } from '../../client/webhooks/verify-signature.ts';
import { verifyWebhook } from '../../client/webhooks/verify-webhook.ts';
import type { WebhookEvent } from '../../generated/webhooks.ts';
import { exampleEvent, signatureOf, TOKEN } from './support/signed.ts';

const { description, examples } = parse(readFileSync('webhooks.yaml', 'utf8')).components.parameters['X-Svc-Signature'];
const workedBody = /^BODY='(.+)'$/m.exec(description)![1]!;
const workedToken = /^TOKEN='(.+)'$/m.exec(description)![1]!;
const workedSignature: string = examples.worked_example.value;

const ARRIVED = exampleEvent('event_arrived');
const BODY = JSON.stringify(ARRIVED);
const SIGNATURE = signatureOf(BODY);
const OTHER_TOKEN = 'another';

describe('the signature', () => {
  test('in the contract is valid for text and for bytes', async () => {
    await verifySignature(workedBody, workedSignature, workedToken);
    await verifySignature(new TextEncoder().encode(workedBody), workedSignature, workedToken);
    await expect(verifySignature(workedBody, workedSignature, OTHER_TOKEN)).rejects.toThrow(WebhookSignatureError);
  });

  test.each<[string, string | string[] | null | undefined, RegExp]>([
    ['under another token', signatureOf(BODY, OTHER_TOKEN), /does not match the body/],
    ['of another body', signatureOf(`${BODY} `), /does not match the body/],
    ['of the same event in another format', signatureOf(JSON.stringify(ARRIVED, null, 1)), /does not match the body/],
    ['in upper case', `sha256=${SIGNATURE.slice(7).toUpperCase()}`, /does not match the body/],
    ['that is too short', SIGNATURE.slice(0, -1), /malformed/],
    ['that is too long', `${SIGNATURE}=`, /malformed/],
    ['that is in hex', `sha256=${Buffer.from(SIGNATURE.slice(7), 'base64').toString('hex')}`, /malformed/],
    ['in base64url', SIGNATURE.replace(/.=$/, '-='), /malformed/],
    ['with more before it', `x${SIGNATURE}`, /malformed/],
    ['without a prefix', SIGNATURE.slice(7), /malformed/],
    ['behind another prefix', SIGNATURE.replace('sha256', 'sha1'), /malformed/],
    ['behind a prefix in upper case', SIGNATURE.replace('sha256', 'SHA256'), /malformed/],
    ['that is missing', undefined, /missing/],
    ['that is null', null, /missing/],
    ['that is empty', ' , ', /missing/],
    ['that is an empty list', [], /missing/],
  ])('%s is rejected, and the error does not reveal the right one', async (_, header, message) => {
    const refusal = await refusalOf(() => verifyWebhook(BODY, header, TOKEN));
    expect(refusal).toBeInstanceOf(WebhookSignatureError);
    expect(refusal).toMatchObject({ name: 'WebhookSignatureError', status: 401 });
    expect(refusal.message).toMatch(message);
    expect(JSON.stringify([refusal.message, refusal.stack, refusal])).not.toContain(SIGNATURE.slice(7));
  });

  test('is valid for a view of a part of a buffer', async () => {
    const bytes = new TextEncoder().encode(`..${BODY}..`);
    const view = new DataView(bytes.buffer, 2, bytes.length - 4);
    expect(await verifyWebhook(view, SIGNATURE, TOKEN)).toEqual(ARRIVED);
  });

  test('is rejected if any byte of the body changes', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const [index, byte] of bytes.entries()) {
      const changed = bytes.with(index, byte ^ 1);
      await expect(verifyWebhook(changed, SIGNATURE, TOKEN), `byte ${index}`).rejects.toThrow(WebhookSignatureError);
    }
  });

  test('is rejected if any of its characters changes', async () => {
    for (let index = 7; index < SIGNATURE.length - 1; index++) {
      const other = SIGNATURE[index] === 'A' ? 'B' : 'A';
      const changed = SIGNATURE.slice(0, index) + other + SIGNATURE.slice(index + 1);
      await expect(verifyWebhook(BODY, changed, TOKEN), `character ${index}`).rejects.toThrow(WebhookSignatureError);
    }
  });

  test('is valid if it is one of several', async () => {
    const both = `${signatureOf(BODY, OTHER_TOKEN)}, ${SIGNATURE}`;
    expect(await verifyWebhook(BODY, both, TOKEN)).toEqual(ARRIVED);
    expect(await verifyWebhook(BODY, both.split(', '), TOKEN)).toEqual(ARRIVED);
    expect(await verifyWebhook(BODY, `sha512=abc,${SIGNATURE}`, TOKEN)).toEqual(ARRIVED);
    await expect(verifyWebhook(BODY, both, 'a third')).rejects.toThrow(WebhookSignatureError);
  });

  test('is valid with one of several tokens', async () => {
    expect(await verifyWebhook(BODY, SIGNATURE, [OTHER_TOKEN, TOKEN])).toEqual(ARRIVED);
    await expect(verifyWebhook(BODY, SIGNATURE, [OTHER_TOKEN, 'a third'])).rejects.toThrow(WebhookSignatureError);
  });

  test.each<[string, string | string[]]>([
    ['an empty token', ''],
    ['no token', []],
    ['an empty token among others', [TOKEN, '']],
    ['a token that is undefined', [undefined as unknown as string]],
  ])('is never valid with %s', async (_, token) => {
    await expect(verifyWebhook(BODY, signatureOf(BODY, ''), token)).rejects.toThrow(TypeError);
  });
});

describe('the body', () => {
  test('is the event, as text, bytes or a buffer', async () => {
    expect(await verifyWebhook(BODY, SIGNATURE, TOKEN)).toEqual(ARRIVED);
    const bytes = Buffer.from(BODY);
    const { buffer } = Uint8Array.from(bytes);
    expect(await verifyWebhook(bytes, SIGNATURE, TOKEN)).toEqual(ARRIVED);
    expect(await verifyWebhook(buffer, SIGNATURE, TOKEN)).toEqual(ARRIVED);
    const name = JSON.stringify({ ...ARRIVED, note: 'Zoë 🚗' });
    expect(await verifyWebhook(name, signatureOf(name), TOKEN)).toEqual(JSON.parse(name));
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /not JSON/],
    ['a form', 'event_id=a', /not JSON/],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0x22]), /not JSON/],
    ['null', 'null', /not an event: it is not an object/],
    ['a list', '[]', /not an event: event_id is not a string/],
    ['an event without an id', JSON.stringify({ ...ARRIVED, event_id: undefined }), /event_id is not a string/],
    ['an event with a number for an id', JSON.stringify({ ...ARRIVED, event_id: 1 }), /event_id is not a string/],
    ['an event without a type', JSON.stringify({ ...ARRIVED, event_type: undefined }), /event_type is not a string/],
    ['an event without a time', JSON.stringify({ ...ARRIVED, occurred_at: undefined }), /occurred_at is not a string/],
    ['an event without a ride', workedBody, /in event, it is not an object/],
    ['an event with an empty ride', JSON.stringify({ ...ARRIVED, event: {} }), /in event, ride_id is not a string/],
  ])('%s is rejected even with a valid signature', async (_, body, message) => {
    const refusal = await refusalOf(() => verifyWebhook(body, signatureOf(body), TOKEN));
    expect(refusal).toBeInstanceOf(WebhookBodyError);
    expect(refusal).toMatchObject({ name: 'WebhookBodyError', status: 400, message: expect.stringMatching(message) });
  });

  test('is not parsed without a valid signature', async () => {
    await expect(verifyWebhook('not JSON', signatureOf('not JSON', OTHER_TOKEN), TOKEN)).rejects.toThrow(
      WebhookSignatureError,
    );
  });

  test('that is already parsed has a different error than a forged one', async () => {
    for (const parsed of [ARRIVED, undefined] as unknown as string[]) {
      const refusal = await refusalOf(() => verifyWebhook(parsed, SIGNATURE, TOKEN));
      expect(refusal).toBeInstanceOf(WebhookBodyError);
      expect(refusal).toMatchObject({ status: 500, message: expect.stringContaining('express.raw(') });
    }
  });

  test('of a type that the client does not know is accepted', async () => {
    const body = JSON.stringify({ ...ARRIVED, event_type: 'ride.rated', event: null });
    expect((await verifyWebhook(body, signatureOf(body), TOKEN)).event_type).toBe('ride.rated');
  });
});

test('event_type narrows the type of an event, and status narrows its ride', async () => {
  const read = (event: WebhookEvent) => {
    // @ts-expect-error: only some statuses have a driver
    event.event.driver.first_name;
    if (event.event.status === 'arrived') return event.event.driver.first_name;
    if (event.event_type === 'ride.receipt.ready') return event.event.price.amount;
    expectTypeOf(event.event.status).toEqualTypeOf<'accepted' | 'pickedUp' | 'droppedOff' | 'canceled'>();
  };
  const event = await verifyWebhook(BODY, SIGNATURE, TOKEN);
  expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
  expect(read(event)).toBe('Priya');
  expect(event).not.toHaveProperty('environment');
});

describe('with the tokens of both environments', () => {
  const tokens = { production: ['new', TOKEN], sandbox: 'of sandboxes' };

  test.each([
    ['production', TOKEN],
    ['production', 'new'],
    ['sandbox', 'of sandboxes'],
  ] as const)(
    'an event of %s is recognized by the token %s, even with other signatures',
    async (environment, token) => {
      const right = signatureOf(BODY, token);
      for (const header of [right, [signatureOf(BODY, OTHER_TOKEN), right], `${signatureOf(`${BODY} `)}, ${right}`]) {
        expect(await verifySignature(BODY, header, tokens)).toBe(environment);
        expect(await verifyWebhook(BODY, header, tokens)).toEqual({ ...ARRIVED, environment });
      }
    },
  );

  test('no other token is valid, and each environment must have its own tokens', async () => {
    await expect(verifyWebhook(BODY, signatureOf(BODY, OTHER_TOKEN), tokens)).rejects.toThrow(WebhookSignatureError);
    for (const wrong of [
      { ...tokens, sandbox: '' },
      { ...tokens, production: [] },
    ]) {
      await expect(verifyWebhook(BODY, SIGNATURE, wrong)).rejects.toThrow(/verification token is missing/);
    }
    await expect(verifyWebhook(BODY, SIGNATURE, { ...tokens, sandbox: ['old', TOKEN] })).rejects.toThrow(
      /are the same/,
    );
  });
});

async function refusalOf(action: () => Promise<unknown>): Promise<Error> {
  try {
    await action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('The action did not throw.');
}
