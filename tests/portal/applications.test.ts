import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { findApplication, findOwnApplication, listApplications } from '../../server/store/applications.ts';
import { changingNothing } from '../support/changing-nothing.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { askToken } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import type { View } from '../support/visitor.ts';
import {
  atOwn,
  bodyOf,
  fieldValue,
  inPortal,
  newOwnApplication,
  REDIRECT_URI,
  send,
  sendAtOnce,
  shownAs,
} from './applications-support.ts';
import { DEVELOPER, newDeveloper } from './support.ts';

const NEW = PORTAL_PATHS.newApplication;
const GOOD = { name: 'Night Rides', redirect_uris: REDIRECT_URI };
const MARKUP = '"><script>alert(1)</script>&amp;';
const NO_URL = 'The webhook URL must be an http or https URL. Enter a URL such as';
/** A value for each field that the form for a new application rejects, with the message of the page. */
const REFUSED = {
  name: ['Night\u202eRides', 'The name contains an invisible character. Remove it.'],
  redirect_uris: [MARKUP, 'Line 1: &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp; is not a valid URI.'],
  webhook_url: ['nowhere', NO_URL],
  sandbox_webhook_url: ['ftp://app.example/', NO_URL],
} as const;
/** The statuses of twenty responses in order: one shows what was done, and the others redirect. */
const ONE_OF_TWENTY = [200, ...Array(19).fill(303)];

/** Expects that the form is shown again with these entries, and with a message at each wrong one. */
function expectAgain(shown: View, typed: Readonly<Record<string, string>>, said: Readonly<Record<string, string>>) {
  expect([shown.status, shown.title.startsWith('Error: ')]).toEqual([422, true]);
  for (const [field, value] of Object.entries(typed)) expect(fieldValue(shown, field)).toBe(value);
  for (const [field, problem] of Object.entries(said)) {
    expect(new RegExp(`id="${field}-problem">(.*?)</p>`, 's').exec(shown.markup)?.[1]).toContain(problem);
  }
  expect(shown.markup).not.toContain('<script>alert');
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const strict = testServer(engine, { withPages: true, rateLimitMultiplier: 0.02 });
  const idIn = (view: View) => shownAs('Client ID', view);
  const stored = async (id: string) => (await findOwnApplication(server.store.db, id))!;
  const askAs = (id: string, secret: string) =>
    askToken(server, { grant_type: 'client_credentials' }, basic(id, secret));
  /** A developer at the form for a new application. */
  const atNew = async (on = server) => {
    const { id } = await newDeveloper(on);
    const visitor = await inPortal(on, { id }, NEW);
    const form = visitor.view().forms.find(({ action }) => action.pathname === NEW)!;
    return {
      id,
      visitor,
      form,
      formId: fieldValue(visitor.view(), 'form_id')!,
      made: () => listApplications(on.store.db, id),
    };
  };

  describe('a new application', () => {
    test('shows working secrets once, with a command that uses them', async () => {
      const { visitor, id: developerId } = await atNew();
      const webhooks = { webhook_url: 'https://app.example/live', sandbox_webhook_url: 'https://app.example/sandbox' };
      const shown = await visitor.submit({ ...GOOD, ...webhooks });
      expect([shown.status, shown.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
      const id = idIn(shown);
      const [live, sandbox] = [shownAs('Live client secret', shown), shownAs('Sandbox client secret', shown)];
      expect(sandbox).toMatch(/^SANDBOX-/);
      expect(shown.text).toContain(`curl -s -u ${id}:${sandbox} \\ -d grant_type=client_credentials`);
      const application = await stored(id);
      expect(application).toMatchObject({
        ...{ name: GOOD.name, developerId, redirectUris: [REDIRECT_URI] },
        ...{ webhookUrl: webhooks.webhook_url, sandboxWebhookUrl: webhooks.sandbox_webhook_url },
      });
      expect(shown.text).toContain(application.verificationToken);
      expect(shown.text).toContain(application.sandboxVerificationToken);
      // http/audit.test.ts has that no table has them
      for (const secret of [live, sandbox]) expect((await askAs(id, secret)).status).toBe(200);
    });

    test('is rejected with all problems at once, and the form keeps its values', async () => {
      const { visitor, formId: form_id, made } = await atNew();
      const [typed, said] = [0, 1].map((i) => {
        return Object.fromEntries(Object.entries(REFUSED).map(([field, row]) => [field, row[i]!]));
      });
      expectAgain(await visitor.submit(typed!), { ...typed!, form_id }, said!);
      expect(await made()).toEqual([]);
    });

    test('is rejected with the form and its other values if a field was sent twice', async () => {
      const { visitor, form, made } = await atNew();
      const body = bodyOf(form, { name: GOOD.name });
      body.append('redirect_uris', REDIRECT_URI);
      const shown = await visitor.post(NEW, body);
      expectAgain(shown, { name: GOOD.name }, {});
      expect(shown.text).toContain('The field redirect_uris');
      expect(await made()).toEqual([]);
    });

    test('is created once if the form is sent again, or twenty times at once, and never after it is deleted', async () => {
      const { visitor, form, made } = await atNew();
      expect(await sendAtOnce(visitor, form, GOOD)).toEqual(ONE_OF_TWENTY);
      const [first, ...more] = await made();
      expect(more).toEqual([]);
      const again = await visitor.post(NEW, bodyOf(form, GOOD));
      expect(again.url.pathname).toBe(`/portal/applications/${first!.id}`);
      expect(again.text).toContain('Its secrets were shown then and can’t be shown again.');
      await visitor.open(`/portal/applications/${first!.id}/settings`);
      await send(visitor, { action: 'delete' }, { delete_name: GOOD.name });
      expect((await visitor.post(NEW, bodyOf(form, GOOD))).status).toBe(404);
      expect(await made()).toEqual([]);
    });

    test('needs the id of its form', async () => {
      const { visitor, made } = await atNew();
      for (const form_id of ['', 'x', 'f'.repeat(25), 'DEMO', '../x']) {
        const shown = await visitor.submit({ ...GOOD, form_id });
        expect([shown.status, fieldValue(shown, 'form_id')]).toEqual([422, expect.stringMatching(/^[0-9a-f]{24}$/)]);
      }
      expect(await made()).toEqual([]);
    });

    test('gets a new id if its form has the id from the form of another developer', async () => {
      const [ada, leo] = [await atNew(), await atNew()];
      const id = idIn(await ada.visitor.submit(GOOD));
      const other = idIn(await leo.visitor.submit({ ...GOOD, form_id: ada.formId }));
      expect(other).toMatch(/^[0-9a-f]{24}$/);
      expect(new Set([id, other, ada.formId]).size).toBe(3);
    });

    test('must wait after many others, even if they are deleted', async () => {
      const { visitor, made } = await atNew(strict);
      for (let i = 0; i < 2; i++) {
        const id = idIn(await visitor.submit(GOOD));
        await strict.store.transaction((tx) => deleteApplication(tx, id, strict.parts.now()));
        await visitor.open(NEW);
      }
      const { status, headers } = await visitor.submit(GOOD);
      expect([status, Number(headers.get('Retry-After')) > 0, await made()]).toEqual([429, true, []]);
    });
  });

  test('the list has only the developer’s own applications with a link to each, or a message', async () => {
    const empty = await inPortal(server, await newDeveloper(server));
    expect(empty.view().text).toContain('You have no applications yet.');
    expect((await empty.follow('New application')).url.pathname).toBe(NEW);
    const { developer, id, name, application } = await atOwn(server);
    await newOwnApplication(server, await newDeveloper(server), { name: 'Not mine' });
    const visitor = await inPortal(server, developer);
    expect(visitor.view().text).toContain(id);
    expect(visitor.view().markup).toContain(new Date(application.createdAt).toISOString());
    expect(visitor.view().text).not.toContain('Not mine');
    expect((await visitor.follow(name)).title).toContain(name);
  });

  test('redirect URIs are saved without duplicates and blank lines', async () => {
    const { visitor, id } = await atOwn(server, '/redirect-uris');
    expect(fieldValue(visitor.view(), 'redirect_uris')).toBe(REDIRECT_URI);
    const kept = ['https://app.example/a', 'com.example.app:/b', 'http://localhost:3000/c'];
    const shown = await visitor.submit({ redirect_uris: `${kept[0]}\r\n\r\n  ${kept[1]}  \r\n${kept[0]}\n${kept[2]}` });
    expect([shown.redirects.length, shown.text.includes('Redirect URIs saved.')]).toEqual([1, true]);
    expect((await stored(id)).redirectUris).toEqual(kept);
    expect(fieldValue(shown, 'redirect_uris')).toBe(kept.join('\n'));
  });

  test.each([
    ['/redirect-uris', 'redirect_uris', {}],
    ['/settings', 'name', { action: 'rename' }],
    ['/webhooks', 'webhook_url', { environment: 'live', action: 'set' }],
    ['/webhooks', 'sandbox_webhook_url', { environment: 'sandbox', action: 'set' }],
  ] as const)('%s keeps what is stored instead of a value that is rejected', async (page, field, hidden) => {
    const { visitor, id, application } = await atOwn(server, page);
    const [typed, said] = REFUSED[field];
    expectAgain(await visitor.submit({ ...hidden, [field]: typed }), { [field]: typed }, { [field]: said });
    expect(application).toMatchObject(await stored(id));
  });

  describe('settings', () => {
    const settings = (change = {}) => atOwn(server, '/settings', change);

    test('rename the application', async () => {
      const { visitor, id, name } = await settings();
      expect(fieldValue(visitor.view(), 'name')).toBe(name);
      const shown = await send(visitor, { action: 'rename' }, { name: '  Day\t Rides ' });
      expect([shown.text.includes('Name saved.'), shown.title.includes('Day Rides')]).toEqual([true, true]);
      expect((await stored(id)).name).toBe('Day Rides');
    });

    test('switch the rotation of refresh tokens on and off', async () => {
      const { visitor, id } = await settings();
      for (const rotation of ['on', 'off']) {
        expect((await send(visitor, { rotation })).text).toContain(`Rotation is ${rotation}.`);
        expect((await stored(id)).rotatesRefreshTokens).toBe(rotation === 'on');
      }
    });

    test('let the live secret read events, after the password', async () => {
      const { visitor, id } = await settings();
      const shown = await send(visitor, { events: 'on' }, { password: 'guessed' });
      expect([shown.status, shown.text.includes('Wrong password.')]).toEqual([422, true]);
      expect((await stored(id)).liveEventsSince).toBeNull();
      await send(visitor, { events: 'on' }, { password: DEVELOPER.password });
      expect((await stored(id)).liveEventsSince).toBe(server.parts.now());
      await send(visitor, { events: 'off' });
      expect((await stored(id)).liveEventsSince).toBeNull();
    });

    test('delete the application', async () => {
      const { visitor, id, name, liveSecret } = await settings({ name: 'Zoë’s  “Rides”' });
      const api = server.client({ token: (await askAs(id, liveSecret)).body.access_token });
      expect(name).toBe('Zoë’s “Rides”');
      const shown = await send(visitor, { action: 'delete' }, { delete_name: ' Zoe\u0308’s “Rides” ' });
      expect([shown.url.pathname, shown.text.includes('Application deleted.')]).toEqual(['/portal', true]);
      expect(await stored(id)).toBeUndefined();
      expect((await api.listRideTypes({ params: { query: { lat: 37.7955, lng: -122.3937 } } })).response.status).toBe(
        401,
      );
    });

    const NOT_THE_NAME = 'Type the application’s exact name';
    test.each([
      ['offer', 'developer', '', 'Enter the new owner’s developer ID.'],
      ['offer', 'developer', 'nobody', 'No developer has this ID. Check it with the new owner.'],
      ['offer', 'developer', 'themselves', 'This is your own developer ID. Enter the new owner’s.'],
      ['offer', 'transfer_name', '', NOT_THE_NAME],
      ['offer', 'transfer_name', 'X', NOT_THE_NAME],
      ['delete', 'delete_name', '', NOT_THE_NAME],
      ['delete', 'delete_name', 'night rides', NOT_THE_NAME],
    ])('refuse to %s with the %s %j', async (action, field, value, said) => {
      const { visitor, id, name, developer } = await settings({ name: 'Night Rides' });
      const newOwner = { developer: (await newDeveloper(server)).id, transfer_name: name };
      const right: Record<string, string> = action === 'offer' ? newOwner : {};
      const typed = { ...right, [field]: value === 'themselves' ? developer.id : value };
      expectAgain(await send(visitor, { action }, typed), { ...typed, name }, { [field]: said });
      expect((await stored(id)).developerId).toBe(developer.id);
    });
  });

  describe('secrets', () => {
    // applications/across-secrets.test.ts has what a rotation does not affect
    test.each([
      ['live', '0', 0],
      ['sandbox', '24', DAY_MS],
    ] as const)('rotate: the %s secret, and the old one works for %s hours', async (environment, hours, overlapMs) => {
      const { visitor, id, path, application, liveSecret, sandboxSecret } = await atOwn(server, '/secrets');
      server.passTime(1000);
      const shown = await send(visitor, { environment }, { [`${environment}_overlap_hours`]: hours });
      const secret = shownAs(`New ${environment} client secret`, shown);
      const old = environment === 'live' ? liveSecret : sandboxSecret;
      const statuses = async () => [(await askAs(id, secret)).status, (await askAs(id, old)).status];
      expect(await statuses()).toEqual([200, overlapMs > 0 ? 200 : 401]);
      const { verificationToken, sandboxVerificationToken } = await stored(id);
      const isLive = environment === 'live';
      const [token, other] = isLive
        ? [verificationToken, sandboxVerificationToken]
        : [sandboxVerificationToken, verificationToken];
      const before = [application.verificationToken, application.sandboxVerificationToken];
      expect([before.includes(token), before.includes(other)]).toEqual([false, true]);
      expect(shownAs(`New ${environment} verification token`, shown)).toBe(token);
      const { text, markup } = await visitor.open(path);
      expect(text.includes('the previous secret is valid until')).toBe(overlapMs > 0);
      expect([text.includes(token), markup.includes(secret)]).toEqual([true, false]);
      for (const page of ['/settings', '/log', '/redirect-uris'])
        expect((await visitor.open(path + page)).markup).not.toContain(token);
      server.passTime(overlapMs);
      expect(await statuses()).toEqual([200, 401]);
      expect((await visitor.open(path)).text).not.toContain('the previous secret is valid until');
    });

    test('rotate once if the form is sent again, or twenty times at once', async () => {
      const { visitor, id, path, liveSecret } = await atOwn(server, '/secrets');
      server.passTime(1000);
      const form = visitor.view().forms.find(({ fields }) => fields.some(({ value }) => value === 'live'))!;
      expect(await sendAtOnce(visitor, form)).toEqual(ONE_OF_TWENTY);
      const hash = async () => (await findApplication(server.store.db, id))!.liveSecretHash;
      const rotated = await hash();
      expect(rotated).not.toBe(hashOf(liveSecret));
      const again = await visitor.post(`${path}/secrets`, bodyOf(form));
      expect(again.text).toContain('The new secret was shown then and can’t be shown again.');
      expect(await hash()).toBe(rotated);
    });
  });

  const WEBHOOK = { webhook_url: 'https://app.example/new' };
  const ROTATION = { environment: 'live', live_overlap_hours: '0' };
  test.each([
    ['/settings', 'action', ['', 'drop', 'constructor', '__proto__'], { name: 'x' }],
    ['/webhooks', 'action', ['', 'x'], WEBHOOK],
    ['/webhooks', 'environment', ['', 'x'], WEBHOOK],
    ['/secrets', 'environment', ['', 'moon'], ROTATION],
    ['/secrets', 'made_at', ['', 'x', '-1', '9'.repeat(30)], ROTATION],
    ['/secrets', 'live_overlap_hours', ['', '2', '25', '1e1'], ROTATION],
  ] as const)('%s refuses a form with a wrong %s, and changes nothing', async (page, field, values, form) => {
    const { visitor } = await atOwn(server, page);
    const said =
      field === 'live_overlap_hours' ? 'Choose when the current secret expires.' : 'The form was incomplete.';
    for (const value of values) {
      const { status, text } = await changingNothing(server, () => visitor.submit({ ...form, [field]: value }));
      expect([value, status, text.includes(said)]).toEqual([value, 422, true]);
    }
  });
});
