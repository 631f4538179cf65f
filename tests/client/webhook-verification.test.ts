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
  test('that the contract works out is right, for text as for bytes', () => {
    verifySignature(workedBody, workedSignature, workedToken);
    verifySignature(new TextEncoder().encode(workedBody), workedSignature, workedToken);
    expect(() => verifySignature(workedBody, workedSignature, OTHER_TOKEN)).toThrow(WebhookSignatureError);
  });

  test.each<[string, string | string[] | null | undefined, RegExp]>([
    ['under another token', signatureOf(BODY, OTHER_TOKEN), /another body or another verification token/],
    ['of another body', signatureOf(`${BODY} `), /another body or another verification token/],
    ['of the same event, written anew', signatureOf(JSON.stringify(ARRIVED, null, 1)), /another body or another/],
    ['in upper case', `sha256=${SIGNATURE.slice(7).toUpperCase()}`, /another body or another verification token/],
    ['that is cut', SIGNATURE.slice(0, -1), /unreadable/],
    ['that goes on', `${SIGNATURE}=`, /unreadable/],
    ['that is in hex', `sha256=${Buffer.from(SIGNATURE.slice(7), 'base64').toString('hex')}`, /unreadable/],
    ['in base64url', SIGNATURE.replace(/.=$/, '-='), /unreadable/],
    ['with more before it', `x${SIGNATURE}`, /unreadable/],
    ['without a prefix', SIGNATURE.slice(7), /unreadable/],
    ['behind another prefix', SIGNATURE.replace('sha256', 'sha1'), /unreadable/],
    ['behind a prefix in upper case', SIGNATURE.replace('sha256', 'SHA256'), /unreadable/],
    ['that is missing', undefined, /missing/],
    ['that is null', null, /missing/],
    ['that is empty', ' , ', /missing/],
    ['of which there is none in a list', [], /missing/],
  ])('%s is refused, and the right one not told', (_, header, message) => {
    const refusal = refusalOf(() => verifyWebhook(BODY, header, TOKEN));
    expect(refusal).toBeInstanceOf(WebhookSignatureError);
    expect(refusal).toMatchObject({ name: 'WebhookSignatureError', status: 401 });
    expect(refusal.message).toMatch(message);
    expect(JSON.stringify([refusal.message, refusal.stack, refusal])).not.toContain(SIGNATURE.slice(7));
  });

  test('is refused for every byte that is changed', () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const [index, byte] of bytes.entries()) {
      const changed = bytes.with(index, byte ^ 1);
      expect(() => verifyWebhook(changed, SIGNATURE, TOKEN), `byte ${index}`).toThrow(WebhookSignatureError);
    }
  });

  test('is refused for every character of it that is changed', () => {
    for (let index = 7; index < SIGNATURE.length - 1; index++) {
      const other = SIGNATURE[index] === 'A' ? 'B' : 'A';
      const changed = SIGNATURE.slice(0, index) + other + SIGNATURE.slice(index + 1);
      expect(() => verifyWebhook(BODY, changed, TOKEN), `character ${index}`).toThrow(WebhookSignatureError);
    }
  });

  test('is right when it is one of several', () => {
    const both = `${signatureOf(BODY, OTHER_TOKEN)}, ${SIGNATURE}`;
    expect(verifyWebhook(BODY, both, TOKEN)).toEqual(ARRIVED);
    expect(verifyWebhook(BODY, both.split(', '), TOKEN)).toEqual(ARRIVED);
    expect(verifyWebhook(BODY, `sha512=abc,${SIGNATURE}`, TOKEN)).toEqual(ARRIVED);
    expect(() => verifyWebhook(BODY, both, 'a third')).toThrow(WebhookSignatureError);
  });

  test('is right under one of several tokens', () => {
    expect(verifyWebhook(BODY, SIGNATURE, [OTHER_TOKEN, TOKEN])).toEqual(ARRIVED);
    expect(() => verifyWebhook(BODY, SIGNATURE, [OTHER_TOKEN, 'a third'])).toThrow(WebhookSignatureError);
  });

  test.each<[string, string | string[]]>([
    ['an empty token', ''],
    ['no token', []],
    ['an empty one among tokens', [TOKEN, '']],
    ['a token that is undefined', [undefined as unknown as string]],
  ])('is never right under %s', (_, token) => {
    expect(() => verifyWebhook(BODY, signatureOf(BODY, ''), token)).toThrow(TypeError);
  });
});

describe('the body', () => {
  test('is the event, text or bytes', () => {
    expect(verifyWebhook(BODY, SIGNATURE, TOKEN)).toEqual(ARRIVED);
    expect(verifyWebhook(Buffer.from(BODY), SIGNATURE, TOKEN)).toEqual(ARRIVED);
    const name = JSON.stringify({ ...ARRIVED, note: 'Zoë 🚗' });
    expect(verifyWebhook(name, signatureOf(name), TOKEN)).toEqual(JSON.parse(name));
  });

  test.each<[string, string | Uint8Array, RegExp]>([
    ['nothing', '', /not JSON/],
    ['a form', 'event_id=a', /not JSON/],
    ['broken UTF-8', new Uint8Array([0x22, 0xff, 0x22]), /not JSON/],
    ['null', 'null', /no event: there is no object/],
    ['a list', '[]', /no event: event_id is not a string/],
    ['an event without an id', JSON.stringify({ ...ARRIVED, event_id: undefined }), /event_id is not a string/],
    ['an event with a number for an id', JSON.stringify({ ...ARRIVED, event_id: 1 }), /event_id is not a string/],
    ['an event without a type', JSON.stringify({ ...ARRIVED, event_type: undefined }), /event_type is not a string/],
    ['an event without a time', JSON.stringify({ ...ARRIVED, occurred_at: undefined }), /occurred_at is not a string/],
    ['an event without a ride', workedBody, /in event, there is no object/],
    ['an event with an empty ride', JSON.stringify({ ...ARRIVED, event: {} }), /in event, ride_id is not a string/],
  ])('%s is refused, however well it is signed', (_, body, message) => {
    const refusal = refusalOf(() => verifyWebhook(body, signatureOf(body), TOKEN));
    expect(refusal).toBeInstanceOf(WebhookBodyError);
    expect(refusal).toMatchObject({ name: 'WebhookBodyError', status: 400, message: expect.stringMatching(message) });
  });

  test('that nobody signed is not even read', () => {
    expect(() => verifyWebhook('not JSON', signatureOf('not JSON', OTHER_TOKEN), TOKEN)).toThrow(WebhookSignatureError);
  });

  test('that was parsed already is told from a forged one', () => {
    for (const parsed of [ARRIVED, undefined] as unknown as string[]) {
      const refusal = refusalOf(() => verifyWebhook(parsed, SIGNATURE, TOKEN));
      expect(refusal).toBeInstanceOf(WebhookBodyError);
      expect(refusal).toMatchObject({ status: 500, message: expect.stringContaining('express.raw(') });
    }
  });

  test('of a type that is newer than the client comes through', () => {
    const body = JSON.stringify({ ...ARRIVED, event_type: 'ride.rated', event: null });
    expect(verifyWebhook(body, signatureOf(body), TOKEN).event_type).toBe('ride.rated');
  });
});

test('an event is told by its type, and its ride by the status', () => {
  const read = (event: WebhookEvent) => {
    // @ts-expect-error: only some statuses have a driver
    event.event.driver.first_name;
    if (event.event.status === 'arrived') return event.event.driver.first_name;
    if (event.event_type === 'ride.receipt.ready') return event.event.price.amount;
    expectTypeOf(event.event.status).toEqualTypeOf<'accepted' | 'pickedUp' | 'droppedOff' | 'canceled'>();
  };
  const event = verifyWebhook(BODY, SIGNATURE, TOKEN);
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
    'an event of %s is known by the token %s, whatever else is beside its signature',
    (environment, token) => {
      const right = signatureOf(BODY, token);
      for (const header of [right, [signatureOf(BODY, OTHER_TOKEN), right], `${signatureOf(`${BODY} `)}, ${right}`]) {
        expect(verifySignature(BODY, header, tokens)).toBe(environment);
        expect(verifyWebhook(BODY, header, tokens)).toEqual({ ...ARRIVED, environment });
      }
    },
  );

  test('no other token is right, and each environment must have one of its own', () => {
    expect(() => verifyWebhook(BODY, signatureOf(BODY, OTHER_TOKEN), tokens)).toThrow(WebhookSignatureError);
    for (const wrong of [
      { ...tokens, sandbox: '' },
      { ...tokens, production: [] },
    ]) {
      expect(() => verifyWebhook(BODY, SIGNATURE, wrong)).toThrow(/verification token is missing/);
    }
    expect(() => verifyWebhook(BODY, SIGNATURE, { ...tokens, sandbox: ['old', TOKEN] })).toThrow(/are the same/);
  });
});

function refusalOf(action: () => unknown): Error {
  try {
    action();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was refused.');
}
