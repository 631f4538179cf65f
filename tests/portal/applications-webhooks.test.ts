import { describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/webhooks/verify-webhook.ts';
import { webhookUrlFrom } from '../../server/applications/rules.ts';
import { testWebhook } from '../../server/applications/test-event.ts';
import type { AuditEvent } from '../../server/audit.ts';
import { DAY_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { findOwnApplication } from '../../server/store/applications.ts';
import { csrfTokenOn } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { heldAnswer } from '../support/receiver.ts';
import { receiverForEach, testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { atOwn, send } from './applications-support.ts';

const ENVIRONMENTS = ['live', 'sandbox'] as const;
const FIELD = { live: 'webhook_url', sandbox: 'sandbox_webhook_url' } as const;
const URL_OF = { live: 'webhookUrl', sandbox: 'sandboxWebhookUrl' } as const;
const TOKEN_OF = { live: 'verificationToken', sandbox: 'sandboxVerificationToken' } as const;
const OTHER = { live: 'sandbox', sandbox: 'live' } as const;
const SPELLED = { live: 'production', sandbox: 'sandbox' } as const;
const OLD_URL = 'https://app.example/old';
const NEW_URL = 'https://app.example/new?key=1';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1 });
  const narrow = testServer(engine, { withPages: true, callsAtOnce: { running: 2, waiting: 10 } });
  const receiver = receiverForEach();
  const at = async (urls: Readonly<Record<'live' | 'sandbox', string | null>>, on = server) => {
    const own = await atOwn(on, '/webhooks', { webhookUrl: urls.live, sandboxWebhookUrl: urls.sandbox });
    return { ...own, stored: async () => (await findOwnApplication(on.store.db, own.id))! };
  };
  const here = () => ({ live: `${receiver.url}/live`, sandbox: `${receiver.url}/sandbox` });

  describe.each(ENVIRONMENTS)('the %s webhook URL', (environment) => {
    const [field, hidden] = [FIELD[environment], { environment, action: 'set' }];
    const other = OTHER[environment];

    test('is saved with a new verification token, and the other URL keeps its token', async () => {
      const { visitor, application, stored, path } = await at({ live: OLD_URL, sandbox: OLD_URL });
      const shown = await send(visitor, hidden, { [field]: ` ${NEW_URL} ` });
      const after = await stored();
      const old = application[TOKEN_OF[environment]];
      expect([after[URL_OF[environment]], after[URL_OF[other]]]).toEqual([NEW_URL, OLD_URL]);
      expect(after[TOKEN_OF[other]]).toBe(application[TOKEN_OF[other]]);
      expect(shown.text).toMatch(new RegExp(`${environment} webhook URL saved\\.`, 'i'));
      for (const { text } of [shown, await visitor.open(path)]) {
        const tokens = [after.verificationToken, after.sandboxVerificationToken, old];
        expect(tokens.map((token) => text.includes(token))).toEqual([true, true, false]);
      }
      await visitor.open(`${path}/webhooks`);
      const same = await send(visitor, hidden);
      expect(same.text).toContain('The webhook URL and the verification token are unchanged.');
      expect(await stored()).toEqual(after);
    });

    test('can be removed, and then has no test event', async () => {
      const { visitor, stored } = await at({ live: OLD_URL, sandbox: OLD_URL });
      const shown = await send(visitor, hidden, { [field]: '' });
      expect((await stored())[URL_OF[environment]]).toBeNull();
      expect(shown.text).not.toContain(`Send ${environment} test event`);
      expect(shown.text).toContain(`Send ${other} test event`);
      const fields = { csrf_token: csrfTokenOn(shown), environment, action: 'test' };
      const { status, text } = await visitor.post(shown.url.pathname, new URLSearchParams(fields));
      expect(status).toBe(422);
      expect(text).toContain('Set a webhook URL before you send a test event.');
    });

    test('gets a signed test event, and the page shows the response', async () => {
      const { visitor, application, path } = await at(here());
      receiver.answerWith(() => ({ status: 200, body: '<script>alert(1)</script>"quoted"' }));
      const shown = await send(visitor, { environment, action: 'test' });
      expect(receiver.received).toHaveLength(1);
      const { body, headers, path: sentTo } = receiver.received[0]!;
      expect(sentTo).toBe(`/${environment}`);
      const tokens = { production: application.verificationToken, sandbox: application.sandboxVerificationToken };
      expect((await verifyWebhook(body, headers['x-svc-signature'], tokens)).environment).toBe(SPELLED[environment]);
      expect(headers).toMatchObject({ 'svc-environment': SPELLED[environment], 'content-type': 'application/json' });
      expect(headers).not.toHaveProperty('x-svc-signatures');
      expect([shown.status, shown.markup.includes('<script>alert')]).toEqual([200, false]);
      for (const said of ['Test event delivered', '<script>alert(1)</script>"quoted"', JSON.parse(body).event_id]) {
        expect(shown.text).toContain(said);
      }
      const log = await visitor.open(`${path}/log`);
      expect(log.text).toContain(`You sent a test event to the ${environment} webhook URL: status 200.`);
    });

    test('gets a test event that fails, and the page says how', async () => {
      const { visitor, path } = await at(here());
      for (const [answer, said] of [
        [500, 'Status 500'],
        [404, 'Status 404'],
        [302, 'Redirects are not followed.'],
        ['hang up', 'We got no valid response'],
      ] as const) {
        receiver.answerWith(() => answer);
        await visitor.open(`${path}/webhooks`);
        const { status, text } = await send(visitor, { environment, action: 'test' });
        expect([status, text.includes('Test event failed'), text.includes(said)]).toEqual([200, true, true]);
        const result = typeof answer === 'number' ? `status ${answer}` : 'no response';
        expect((await visitor.open(`${path}/log`)).text).toContain(`${environment} webhook URL: ${result}.`);
      }
    });
  });

  test('test events without a response do not block other requests from the network', async () => {
    const held = heldAnswer();
    receiver.answerWith(() => held.answer);
    const visitors = await Promise.all(
      Array.from({ length: narrow.parts.callsAtOnce.running }, () => at(here(), narrow)),
    );
    const sent = visitors.map(({ visitor }) => send(visitor, { environment: 'live', action: 'test' }));
    await receiver.arrived(visitors.length);
    expect((await newVisitor(narrow.baseUrl).open(PORTAL_PATHS.signIn)).status).toBe(200);
    held.give(204);
    for (const shown of await Promise.all(sent)) expect(shown.text).toContain('Test event delivered');
  });

  test('a test event is audited even if the application is deleted before the response arrives', async () => {
    const { application } = await at(here());
    const { store, now } = server.parts;
    const audited: AuditEvent[] = [];
    const test = testWebhook({
      store,
      count: () => ({}),
      send: async () => {
        await store.transaction((tx) => deleteApplication(tx, application.id, now()));
        const answer = { status: 204, answer: '', error: null, delivered: true };
        return { url: here().live, body: '{}', startedAt: now(), durationMs: 0, ...answer };
      },
    });
    const audit = (event: AuditEvent) => void audited.push(event);
    const by = { developerId: application.developerId, network: null, realNow: now(), audit };
    await expect(test(by, application.id, 'live')).rejects.toMatchObject({ code: 'not_found' });
    expect(audited).toMatchObject([{ event: 'test_event_sent', result: 'delivered', application: application.id }]);
  });

  test.each([
    [null, null, 'The live webhook isn’t failing now.', false],
    [DAY_MS, OLD_URL, 'No live webhook has been delivered since', false],
    [5 * DAY_MS, OLD_URL, 'The live webhook is failing. Nothing has been delivered since', true],
  ])('the portal shows a live webhook that has failed for %s ms', async (failedMs, url, said, isShown) => {
    const { application, visitor, path } = await at({ live: url ?? OLD_URL, sandbox: null });
    const since = failedMs === null ? null : server.parts.now() - failedMs;
    await server.store.db
      .updateTable('applications')
      .set({ webhookFailingSince: since })
      .where('id', '=', application.id)
      .execute();
    for (const page of ['', '/webhooks']) expect((await visitor.open(path + page)).text).toContain(said);
    const list = await visitor.open(PORTAL_PATHS.overview);
    expect(list.text.includes('Webhook failing since')).toBe(isShown);
    if (isShown) expect(list.markup).toContain(new Date(since!).toISOString());
  });
});

test('a webhook URL has at most as many characters as a response can show, also when it is encoded', () => {
  const rules = { allowPrivate: false, requireHttps: true };
  const urlOf = (path: string) => webhookUrlFrom(`https://app.example/${path}`, 'url', rules);
  expect(urlOf('é'.repeat(330))).toHaveLength(2000);
  expect(() => urlOf('é'.repeat(331))).toThrow('The webhook URL is too long.');
});
