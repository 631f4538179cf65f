import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { MOST_APPLICATIONS, MOST_NAME_CHARACTERS, MOST_REDIRECT_URIS } from '../../server/applications/rules.ts';
import { DAY_MS, HOUR_MS } from '../../server/domain/time.ts';
import { PORTAL_PATHS } from '../../server/links.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { deleteApplication } from '../../server/store/application-ends.ts';
import { findOwnApplication, listApplications } from '../../server/store/applications.ts';
import { engines } from '../support/database.ts';
import { basic } from '../support/demo-caller.ts';
import { everythingStored } from '../support/everything-stored.ts';
import { askToken } from '../support/oauth.ts';
import { testServer } from '../support/started.ts';
import type { View } from '../support/visitor.ts';
import { bodyOf, fieldValue, inPortal, newOwnApplication, REDIRECT_URI, send } from './applications-support.ts';
import { newDeveloper } from './support.ts';

const NEW = PORTAL_PATHS.newApplication;
const GOOD = { name: 'Night Rides', redirect_uris: REDIRECT_URI };
const MARKUP = `"><script>alert('1')</script>&amp;`;
const LONG_NAME = 'n'.repeat(MOST_NAME_CHARACTERS);
const uris = (howMany: number) => Array.from({ length: howMany }, (_, i) => `https://app.example/${i}`).join('\r\n');

/** Values that the forms reject, with the messages of the page. */
const REFUSED_NAMES: readonly (readonly [string, string])[] = [
  ['', 'Enter a name.'],
  ['   ', 'Enter a name.'],
  [`${LONG_NAME}n`, `Enter a name with at most ${MOST_NAME_CHARACTERS} characters.`],
  ...['Night\u202eRides', '\u3164', 'Night\u115fRides', '\u2800', 'Night\u034fRides', 'Night\ufe0fRides', '\u17b4'].map(
    (name) => [name, 'The name contains an invisible character. Remove it.'] as const,
  ),
  ...['\u0301Night', `Night${'\u0301'.repeat(5)}`].map(
    (name) => [name, 'The name contains misplaced accents. Remove them.'] as const,
  ),
];
const REFUSED_URIS: readonly (readonly [string, string])[] = [
  ['', 'Enter at least one redirect URI.'],
  [' \r\n ', 'Enter at least one redirect URI.'],
  [uris(MOST_REDIRECT_URIS + 1), `Enter at most ${MOST_REDIRECT_URIS} redirect URIs.`],
  ['https://app.example/ok\r\n\r\nnowhere', 'Line 3: nowhere is not a valid URI.'],
  ['http://app.example/', 'Line 1: http://app.example/ uses http, which is allowed only for localhost. Enter a URI'],
  ['javascript:alert(1)', 'Line 1: javascript:alert(1) has a scheme that is not allowed. Enter a URI that starts'],
  ['https://app.example/#here', 'Line 1: https://app.example/#here contains a fragment (#). Remove it.'],
  ['https://ada:pw@app.example/', 'Line 1: https://ada:pw@app.example/ contains a user name or password. Remove it.'],
  [`https://app.example/${'a'.repeat(500)}`, 'Line 1: This redirect URI is too long. Enter at most 500 characters.'],
  ...['https:callback', 'https:/callback', 'https:///app.example/', 'http:localhost/', 'https://@app.example/'].map(
    (uri) => [uri, `Line 1: ${uri} is not a valid URI.`] as const,
  ),
  ...['https://*.app.example/', "https://'self'/", 'https://a;sandbox/', 'https://%61pp.example/', 'http://127.1/'].map(
    (uri) => [uri, `Line 1: ${uri} is not a valid URI.`] as const,
  ),
  ['one\r\ntwo', 'Line 2: two is not a valid URI.'],
  ['one\r\ntwo', 'Enter a full URI, such as https://app.example.com/callback.\nLine 2: '],
  [MARKUP, `Line 1: ${MARKUP} is not a valid URI.`],
];
const REFUSED_WEBHOOKS: readonly (readonly [string, string])[] = [
  ['nowhere', 'The webhook URL must be an http or https URL. Enter a URL such as'],
  ['ftp://app.example/', 'The webhook URL must be an http or https URL. Enter a URL such as'],
  ['https://ada:pw@app.example/', 'The webhook URL must not contain a user name or a password. Enter a URL such as'],
  [`https://app.example/${'a'.repeat(2000)}`, 'The webhook URL is too long. Enter at most 2000 characters.'],
];
const REFUSED: readonly (readonly [field: string, typed: string, said: string])[] = [
  ...REFUSED_NAMES.map((row) => ['name', ...row] as const),
  ...REFUSED_URIS.map((row) => ['redirect_uris', ...row] as const),
  ...REFUSED_WEBHOOKS.map((row) => ['webhook_url', ...row] as const),
  ...REFUSED_WEBHOOKS.map((row) => ['sandbox_webhook_url', ...row] as const),
];

/** Returns the error message of a field. */
function problemOf({ markup }: View, field: string): string | undefined {
  return new RegExp(`id="${field}-problem">(.*?)</p>`, 's').exec(markup)?.[1];
}

/** Escapes a text for HTML, like a page. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character]!);
}

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  const strict = testServer(engine, { withPages: true, rateLimitMultiplier: 0.02 });
  const secretIn = ({ markup }: View, name: string) =>
    new RegExp(`<dt>${name}</dt><dd><code>([\\w-]+)</code>`).exec(markup)?.[1] ?? '';
  const idIn = (view: View) => secretIn(view, 'Client ID');
  const stored = (id: string) => findOwnApplication(server.store.db, id);
  /** Creates a developer with an application and opens a page of it. */
  const atOwn = async (page = '', change = {}) => {
    const developer = await newDeveloper(server);
    const made = await newOwnApplication(server, developer, change);
    const { id, name } = made.application;
    const path = `${PORTAL_PATHS.overview}/applications/${id}`;
    return { ...made, developer, id, name, path, visitor: await inPortal(server, developer, `${path}${page}`) };
  };

  describe('a new application', () => {
    test('shows working secrets once, with a command that uses them', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const webhooks = { webhook_url: 'https://app.example/live', sandbox_webhook_url: 'https://app.example/sandbox' };
      const shown = await visitor.submit({ ...GOOD, ...webhooks });
      expect(shown.status).toBe(200);
      expect(shown.headers.get('Cache-Control')).toBe('no-store');
      const id = idIn(shown);
      const [live, sandbox] = [secretIn(shown, 'Live client secret'), secretIn(shown, 'Sandbox client secret')];
      expect(sandbox).toMatch(/^SANDBOX-/);
      expect(shown.text).toContain(`curl -s -u ${id}:${sandbox} \\ -d grant_type=client_credentials`);
      for (const secret of [live, sandbox]) {
        const { status } = await askToken(server, { grant_type: 'client_credentials' }, basic(id, secret));
        expect(status).toBe(200);
      }
      const application = (await stored(id))!;
      expect(application).toMatchObject({
        ...{ name: GOOD.name, developerId: developer.id, redirectUris: [REDIRECT_URI] },
        ...{ webhookUrl: webhooks.webhook_url, sandboxWebhookUrl: webhooks.sandbox_webhook_url },
      });
      expect(shown.text).toContain(application.verificationToken);
      expect(shown.text).toContain(application.sandboxVerificationToken);
      const dump = JSON.stringify(await everythingStored(server.store));
      const pages = ['', '/redirect-uris', '/webhooks', '/secrets', '/settings', '/log'];
      for (const page of pages) await visitor.open(`${PORTAL_PATHS.overview}/applications/${id}${page}`);
      for (const secret of [live, sandbox]) {
        expect(dump).not.toContain(secret);
        expect(dump).toContain(hashOf(secret));
        for (const page of pages) {
          const view = await visitor.open(`${PORTAL_PATHS.overview}/applications/${id}${page}`);
          expect(view.status).toBe(200);
          expect(view.markup).not.toContain(secret);
        }
      }
    });

    test.each(REFUSED)('is rejected with this value of %s: %j', async (field, typed, said) => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const form = { ...GOOD, webhook_url: '', sandbox_webhook_url: '', [field]: typed };
      const formId = fieldValue(visitor.view(), 'form_id');
      const shown = await visitor.submit(form);
      expect(shown.status).toBe(422);
      expect(problemOf(shown, field)).toContain(escaped(said));
      expect(shown.title).toMatch(/^Error: /);
      for (const [name, value] of Object.entries(form)) expect(fieldValue(shown, name)).toBe(value);
      expect(fieldValue(shown, 'form_id')).toBe(formId);
      expect(shown.markup).not.toContain('<script');
      expect(await listApplications(server.store.db, developer.id)).toEqual([]);
    });

    test('is rejected with all problems at once', async () => {
      const visitor = await inPortal(server, await newDeveloper(server), NEW);
      const shown = await visitor.submit({ name: '', redirect_uris: '', webhook_url: 'x', sandbox_webhook_url: 'y' });
      for (const field of ['name', 'redirect_uris', 'webhook_url', 'sandbox_webhook_url'])
        expect(problemOf(shown, field)).toBeDefined();
    });

    test.each([
      ['is too long', ['a'.repeat(8001)]],
      ['has NUL', ['https://app.example/\0']],
      ['was sent twice', [REDIRECT_URI, REDIRECT_URI]],
    ])('is rejected with the form and its other values if a field %s', async (_, typed) => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const form = visitor.view().forms.find(({ action }) => action.pathname === NEW)!;
      const body = bodyOf(form, { name: GOOD.name });
      body.delete('redirect_uris');
      for (const value of typed) body.append('redirect_uris', value);
      const shown = await visitor.post(form.action.href, body);
      expect(shown.status).toBe(422);
      expect(shown.text).toContain('The field redirect_uris');
      expect(fieldValue(shown, 'name')).toBe(GOOD.name);
      expect(await listApplications(server.store.db, developer.id)).toEqual([]);
    });

    test('is created once if the form is sent again, or twenty times at once', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const form = visitor.view().forms.find(({ action }) => action.pathname === NEW)!;
      const body = bodyOf(form, GOOD);
      const cookie = [...visitor.cookies].map(([name, said]) => `${name}=${said.split(';')[0]}`).join('; ');
      const sendAgain = () =>
        fetch(form.action, { method: 'POST', body, headers: { Cookie: cookie }, redirect: 'manual' });
      const responses = await Promise.all(Array.from({ length: 20 }, sendAgain));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 303)]);
      const [made, ...more] = await listApplications(server.store.db, developer.id);
      expect(more).toEqual([]);
      const again = await visitor.post(NEW, body);
      expect(again.url.pathname).toBe(`/portal/applications/${made!.id}`);
      expect(again.text).toContain('Its secrets were shown then and can’t be shown again.');
    });

    test('is not created again by its form after it is deleted', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const formId = fieldValue(visitor.view(), 'form_id')!;
      const id = idIn(await visitor.submit(GOOD));
      await visitor.open(`/portal/applications/${id}/settings`);
      await send(visitor, { action: 'delete' }, { delete_name: GOOD.name });
      await visitor.open(NEW);
      const again = await visitor.submit({ ...GOOD, form_id: formId });
      expect(again.status).toBe(404);
      expect(await listApplications(server.store.db, developer.id)).toEqual([]);
    });

    test.each(['', 'x', 'f'.repeat(25), 'DEMO', '../x'])('needs the id of its form: %j', async (formId) => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const shown = await visitor.submit({ ...GOOD, form_id: formId });
      expect(shown.status).toBe(422);
      expect(fieldValue(shown, 'form_id')).toMatch(/^[0-9a-f]{24}$/);
      expect(await listApplications(server.store.db, developer.id)).toEqual([]);
    });

    test('gets a new id if its form has the id from the form of another developer', async () => {
      const [ada, leo] = [await newDeveloper(server), await newDeveloper(server)];
      const adas = await inPortal(server, ada, NEW);
      const formId = fieldValue(adas.view(), 'form_id')!;
      const id = idIn(await adas.submit(GOOD));
      const leos = await inPortal(server, leo, NEW);
      const other = idIn(await leos.submit({ ...GOOD, form_id: formId }));
      expect(other).toMatch(/^[0-9a-f]{24}$/);
      expect(other).not.toBe(id);
      expect([id, other]).not.toContain(formId);
    });

    test('must wait after many others, even if they are deleted', async () => {
      const developer = await newDeveloper(strict);
      const visitor = await inPortal(strict, developer, NEW);
      for (let i = 0; i < 2; i++) {
        const id = idIn(await visitor.submit(GOOD));
        await strict.store.transaction((tx) => deleteApplication(tx, id, strict.parts.now()));
        await visitor.open(NEW);
      }
      const shown = await visitor.submit(GOOD);
      expect(shown.status).toBe(429);
      expect(Number(shown.headers.get('Retry-After'))).toBeGreaterThan(0);
      expect(await listApplications(strict.store.db, developer.id)).toEqual([]);
    });

    test('is rejected if there are too many', async () => {
      const developer = await newDeveloper(server);
      for (let i = 0; i < MOST_APPLICATIONS; i++) await newOwnApplication(server, developer);
      const visitor = await inPortal(server, developer, NEW);
      const shown = await visitor.submit(GOOD);
      expect(shown.status).toBe(422);
      expect(shown.text).toContain(`A developer can have at most ${MOST_APPLICATIONS} apps. Delete one first.`);
      expect(await listApplications(server.store.db, developer.id)).toHaveLength(MOST_APPLICATIONS);
    });
  });

  describe('the list', () => {
    test('shows a message to a developer without applications', async () => {
      const visitor = await inPortal(server, await newDeveloper(server));
      expect(visitor.view().text).toContain('You have no apps yet.');
      expect((await visitor.follow('New app')).url.pathname).toBe(NEW);
    });

    test('has only the developer’s own applications and links to each', async () => {
      const { developer, id, name, createdAt } = await atOwn().then((own) => ({ ...own, ...own.application }));
      await newOwnApplication(server, await newDeveloper(server), { name: 'Not mine' });
      const visitor = await inPortal(server, developer);
      expect(visitor.view().text).toContain(id);
      expect(visitor.view().markup).toContain(new Date(createdAt).toISOString());
      expect(visitor.view().text).not.toContain('Not mine');
      expect((await visitor.follow(name)).title).toContain(name);
    });
  });

  test('every page escapes the name and the URIs', async () => {
    const { visitor, path } = await atOwn('', {
      ...{ name: `<script>'&"`, redirectUris: ["https://app.example/'&quot;"] },
      webhookUrl: `https://app.example/?q=<script>'&quot;`,
    });
    for (const page of ['', '/redirect-uris', '/webhooks', '/secrets', '/settings', '/log']) {
      const view = await visitor.open(path + page);
      expect(view.markup).not.toMatch(/<script|='&|"&quot;/);
      expect(view.text).toContain(`<script>'&"`);
    }
  });

  describe('redirect URIs', () => {
    test('are saved without duplicates and blank lines', async () => {
      const { visitor, id } = await atOwn('/redirect-uris');
      expect(fieldValue(visitor.view(), 'redirect_uris')).toBe(REDIRECT_URI);
      const typed =
        'https://app.example/a\r\n\r\n  com.example.app:/b  \r\nhttps://app.example/a\nhttp://localhost:3000/c';
      const shown = await visitor.submit({ redirect_uris: typed });
      expect(shown.redirects).toHaveLength(1);
      expect(shown.text).toContain('Redirect URIs saved.');
      const kept = ['https://app.example/a', 'com.example.app:/b', 'http://localhost:3000/c'];
      expect((await stored(id))?.redirectUris).toEqual(kept);
      expect(fieldValue(shown, 'redirect_uris')).toBe(kept.join('\n'));
    });

    test('can have a port, an IP address, an encoded host name, and capital letters', async () => {
      const { visitor, id } = await atOwn('/redirect-uris');
      const kept = [
        ...[
          'https://app.example:8443?a=1',
          'https://xn--e1afmkfd.example',
          'HTTPS://App_1.example:443/;x',
          'https://192.0.2.1/',
        ],
        ...['https://[2001:db8::1]/', 'http://[::1]:3000/', 'http://a.localhost/'],
      ];
      await visitor.submit({ redirect_uris: kept.join('\n') });
      expect((await stored(id))?.redirectUris).toEqual(kept);
    });

    test('can be as many as the page allows', async () => {
      const { visitor, id } = await atOwn('/redirect-uris');
      await visitor.submit({ redirect_uris: uris(MOST_REDIRECT_URIS) });
      expect((await stored(id))?.redirectUris).toHaveLength(MOST_REDIRECT_URIS);
    });

    test.each(REFUSED_URIS)('are rejected: %j', async (typed, said) => {
      const { visitor, id } = await atOwn('/redirect-uris');
      const shown = await visitor.submit({ redirect_uris: typed });
      expect(shown.status).toBe(422);
      expect(problemOf(shown, 'redirect_uris')).toContain(escaped(said));
      expect(fieldValue(shown, 'redirect_uris')).toBe(typed);
      expect((await stored(id))?.redirectUris).toEqual([REDIRECT_URI]);
    });

    test('have one error message if thousands are invalid', async () => {
      const { visitor } = await atOwn('/redirect-uris');
      const shown = await visitor.submit({ redirect_uris: 'a\n'.repeat(2000) + uris(100) });
      expect(problemOf(shown, 'redirect_uris')).toBe(`Enter at most ${MOST_REDIRECT_URIS} redirect URIs.`);
    });
  });

  describe('settings', () => {
    const settings = (change = {}) => atOwn('/settings', change);

    test('rename the application', async () => {
      const { visitor, id, name } = await settings();
      expect(fieldValue(visitor.view(), 'name')).toBe(name);
      const shown = await send(visitor, { action: 'rename' }, { name: '  Day\t Rides ' });
      expect(shown.text).toContain('Name saved.');
      expect(shown.title).toContain('Day Rides');
      expect((await stored(id))?.name).toBe('Day Rides');
    });

    test.each(['I ❤️ rides', 'שלום 1', 'नमस्ते', 'Ngược', 'ก็ไป'])('accept the name %s', async (name) => {
      const { visitor, id } = await settings();
      await send(visitor, { action: 'rename' }, { name });
      expect((await stored(id))?.name).toBe(name);
    });

    test.each(REFUSED_NAMES)('keep the name instead of %j', async (typed, said) => {
      const { visitor, id, name } = await settings();
      const shown = await send(visitor, { action: 'rename' }, { name: typed });
      expect(shown.status).toBe(422);
      expect(problemOf(shown, 'name')).toContain(said);
      expect(fieldValue(shown, 'name')).toBe(typed);
      expect((await stored(id))?.name).toBe(name);
    });

    test('switch the rotation of refresh tokens on and off', async () => {
      const { visitor, id } = await settings();
      expect((await send(visitor, { rotation: 'on' })).text).toContain('Rotation is on.');
      expect((await stored(id))?.rotatesRefreshTokens).toBe(true);
      expect((await send(visitor, { rotation: 'off' })).text).toContain('Rotation is off.');
      expect((await stored(id))?.rotatesRefreshTokens).toBe(false);
    });

    test('transfer the application to another developer', async () => {
      const { visitor, id, name, path } = await settings();
      const other = await newDeveloper(server);
      const shown = await send(visitor, { action: 'transfer' }, { developer: ` ${other.id} `, transfer_name: name });
      expect(shown.url.pathname).toBe('/portal');
      expect(shown.text).toContain('App transferred. It now belongs to the other developer.');
      expect(shown.text).not.toContain(id);
      expect((await visitor.open(path)).status).toBe(404);
      const theirs = await inPortal(server, other, path);
      expect(theirs.view().status).toBe(200);
    });

    test('delete the application', async () => {
      const { visitor, id, name, liveSecret } = await settings({ name: 'Zoë’s  “Rides”' });
      const { access_token: token } = await askToken(
        server,
        { grant_type: 'client_credentials' },
        basic(id, liveSecret),
      ).then(({ body }) => body as { access_token: string });
      expect(name).toBe('Zoë’s “Rides”');
      const shown = await send(visitor, { action: 'delete' }, { delete_name: ' Zoe\u0308’s “Rides” ' });
      expect(shown.url.pathname).toBe('/portal');
      expect(shown.text).toContain('App deleted.');
      expect(await stored(id)).toBeUndefined();
      const { status } = await fetch(`${server.baseUrl}${OPERATIONS.listRideTypes.path}?lat=37.7955&lng=-122.3937`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      expect(status).toBe(401);
    });

    const full = async () => {
      const developer = await newDeveloper(server);
      for (let i = 0; i < MOST_APPLICATIONS; i++) await newOwnApplication(server, developer);
      return developer.id;
    };
    /** `*` stands for the name of the application. */
    test.each<[action: string, typed: Record<string, string>, field: string, said: string]>([
      ['transfer', { developer: '', transfer_name: '*' }, 'developer', 'Enter the new owner’s developer ID.'],
      [
        'transfer',
        { developer: 'nobody', transfer_name: '*' },
        'developer',
        'No developer has this ID. Check it with the new owner.',
      ],
      [
        'transfer',
        { developer: 'themselves', transfer_name: '*' },
        'developer',
        'This is your own developer ID. Enter the new owner’s.',
      ],
      [
        'transfer',
        { developer: 'full', transfer_name: '*' },
        'developer',
        `The new owner already has ${MOST_APPLICATIONS} apps`,
      ],
      ['transfer', { developer: 'other', transfer_name: '' }, 'transfer_name', 'Type the app’s exact name'],
      ['transfer', { developer: 'other', transfer_name: 'X' }, 'transfer_name', 'Type the app’s exact name'],
      ['delete', { delete_name: '' }, 'delete_name', 'Type the app’s exact name'],
      ['delete', { delete_name: 'night rides' }, 'delete_name', 'Type the app’s exact name'],
    ])('refuse to %s with %j', async (action, wanted, field, said) => {
      const { visitor, id, name, developer } = await settings({ name: 'Night Rides' });
      const ids: Record<string, string> = {
        ...{ themselves: developer.id, other: (await newDeveloper(server)).id },
        ...(wanted.developer === 'full' && { full: await full() }),
      };
      const typed = Object.fromEntries(
        Object.entries(wanted).map(([key, value]) => [key, value === '*' ? name : (ids[value] ?? value)]),
      );
      const shown = await send(visitor, { action }, typed);
      expect(shown.status).toBe(422);
      expect(problemOf(shown, field)).toContain(said);
      for (const [key, value] of Object.entries(typed)) expect(fieldValue(shown, key)).toBe(value);
      expect(fieldValue(shown, 'name')).toBe(name);
      expect((await stored(id))?.developerId).toBe(developer.id);
    });

    test.each(['', 'drop', 'constructor', '__proto__'])('refuse the action %j', async (action) => {
      const { visitor } = await settings();
      const shown = await visitor.submit({ action, name: 'x' });
      expect(shown.status).toBe(422);
      expect(shown.text).toContain('The form was incomplete.');
    });
  });

  describe('secrets', () => {
    const rotated = async (environment: 'live' | 'sandbox', hours: string) => {
      const own = await atOwn('/secrets');
      server.passTime(1000);
      const shown = await send(own.visitor, { environment }, { [`${environment}_overlap_hours`]: hours });
      return { ...own, shown, secret: secretIn(shown, `New ${environment} client secret`) };
    };
    const tokenStatus = async (id: string, secret: string) =>
      (await askToken(server, { grant_type: 'client_credentials' }, basic(id, secret))).status;

    test.each([
      ['live', '0', 0],
      ['live', '1', HOUR_MS],
      ['sandbox', '0', 0],
      ['sandbox', '24', DAY_MS],
    ] as const)('rotate: the %s secret, and the old one works for %s hours', async (environment, hours, overlapMs) => {
      const { id, shown, secret, liveSecret, sandboxSecret, application, visitor, path } = await rotated(
        environment,
        hours,
      );
      expect(shown.status).toBe(200);
      const [old, other] = environment === 'live' ? [liveSecret, sandboxSecret] : [sandboxSecret, liveSecret];
      expect(await tokenStatus(id, secret)).toBe(200);
      expect(await tokenStatus(id, other)).toBe(200);
      expect(await tokenStatus(id, old)).toBe(overlapMs > 0 ? 200 : 401);
      const after = (await stored(id))!;
      expect(after.verificationToken === application.verificationToken).toBe(environment === 'sandbox');
      expect(after.sandboxVerificationToken === application.sandboxVerificationToken).toBe(environment === 'live');
      const token = environment === 'live' ? after.verificationToken : after.sandboxVerificationToken;
      expect(secretIn(shown, `New ${environment} verification token`)).toBe(token);
      const overview = await visitor.open(path);
      expect(overview.text.includes('the previous secret is valid until')).toBe(overlapMs > 0);
      expect(overview.text).toContain(token);
      expect(overview.markup).not.toContain(secret);
      expect(JSON.stringify(await everythingStored(server.store))).not.toContain(secret);
      server.passTime(overlapMs);
      expect(await tokenStatus(id, old)).toBe(401);
      expect((await visitor.open(path)).text).not.toContain('the previous secret is valid until');
    });

    test('rotate once if the form is sent again, or twenty times at once', async () => {
      const { visitor, id, path, liveSecret } = await atOwn('/secrets');
      server.passTime(1000);
      const { forms, url } = visitor.view();
      const form = forms.find(({ fields }) => fields.some(({ value }) => value === 'live'))!;
      const body = bodyOf(form);
      const cookie = [...visitor.cookies].map(([name, said]) => `${name}=${said.split(';')[0]}`).join('; ');
      const sendAgain = () => fetch(url, { method: 'POST', body, headers: { Cookie: cookie }, redirect: 'manual' });
      const responses = await Promise.all(Array.from({ length: 20 }, sendAgain));
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 19 }, () => 303)]);
      const hash = (await stored(id))?.liveSecretHash;
      expect(hash).not.toBe(hashOf(liveSecret));
      const again = await visitor.post(`${path}/secrets`, body);
      expect(again.text).toContain('The new secret was shown then and can’t be shown again.');
      expect((await stored(id))?.liveSecretHash).toBe(hash);
    });

    test.each([
      [{ environment: 'moon' }],
      [{ environment: '' }],
      [{ made_at: '' }],
      [{ made_at: 'x' }],
      [{ made_at: '-1' }],
      [{ made_at: '9'.repeat(30) }],
      [{ live_overlap_hours: '2' }],
      [{ live_overlap_hours: '' }],
      [{ live_overlap_hours: '25' }],
      [{ live_overlap_hours: '1e1' }],
    ])('refuse %j', async (change) => {
      const { visitor, id, application } = await atOwn('/secrets');
      const shown = await visitor.submit({ environment: 'live', live_overlap_hours: '0', ...change });
      expect(shown.status).toBe(422);
      expect((await stored(id))?.liveSecretHash).toBe(application.liveSecretHash);
    });
  });
});
