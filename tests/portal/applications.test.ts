import { describe, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { MOST_APPLICATIONS } from '../../server/applications/rules.ts';
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
import {
  atOwn,
  bodyOf,
  cookieOf,
  fieldValue,
  inPortal,
  newOwnApplication,
  REDIRECT_URI,
  send,
  shownAs,
} from './applications-support.ts';
import { newDeveloper } from './support.ts';

const NEW = PORTAL_PATHS.newApplication;
const GOOD = { name: 'Night Rides', redirect_uris: REDIRECT_URI };
const MARKUP = `"><script>alert('1')</script>&amp;`;
/** A value for each field that the form for a new application rejects, with the message of the page. */
const REFUSED = {
  name: ['Night\u202eRides', 'The name contains an invisible character. Remove it.'],
  redirect_uris: [MARKUP, `Line 1: ${MARKUP} is not a valid URI.`],
  webhook_url: ['nowhere', 'The webhook URL must be an http or https URL. Enter a URL such as'],
  sandbox_webhook_url: ['ftp://app.example/', 'The webhook URL must be an http or https URL. Enter a URL such as'],
} as const;
const FIELDS = Object.entries(REFUSED).map(([field, [typed, said]]) => [field, typed, said] as const);

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
  const idIn = (view: View) => shownAs('Client ID', view);
  const stored = (id: string) => findOwnApplication(server.store.db, id);

  describe('a new application', () => {
    test('shows working secrets once, with a command that uses them', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const webhooks = { webhook_url: 'https://app.example/live', sandbox_webhook_url: 'https://app.example/sandbox' };
      const shown = await visitor.submit({ ...GOOD, ...webhooks });
      expect(shown.status).toBe(200);
      expect(shown.headers.get('Cache-Control')).toBe('no-store');
      const id = idIn(shown);
      const [live, sandbox] = [shownAs('Live client secret', shown), shownAs('Sandbox client secret', shown)];
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

    test('is rejected with all problems at once, and the form keeps its values', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const formId = fieldValue(visitor.view(), 'form_id');
      const shown = await visitor.submit(Object.fromEntries(FIELDS.map(([field, typed]) => [field, typed])));
      expect([shown.status, shown.title.startsWith('Error: ')]).toEqual([422, true]);
      for (const [field, typed, said] of FIELDS) {
        expect(problemOf(shown, field)).toContain(escaped(said));
        expect(fieldValue(shown, field)).toBe(typed);
      }
      expect(fieldValue(shown, 'form_id')).toBe(formId);
      expect(shown.markup).not.toContain('<script');
      expect(await listApplications(server.store.db, developer.id)).toEqual([]);
    });

    test('is rejected with the form and its other values if a field was sent twice', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const form = visitor.view().forms.find(({ action }) => action.pathname === NEW)!;
      const body = bodyOf(form, { name: GOOD.name });
      body.append('redirect_uris', REDIRECT_URI);
      const shown = await visitor.post(form.action.href, body);
      expect([shown.status, shown.text.includes('The field redirect_uris')]).toEqual([422, true]);
      expect(fieldValue(shown, 'name')).toBe(GOOD.name);
      expect(await listApplications(server.store.db, developer.id)).toEqual([]);
    });

    test('is created once if the form is sent again, or twenty times at once', async () => {
      const developer = await newDeveloper(server);
      const visitor = await inPortal(server, developer, NEW);
      const form = visitor.view().forms.find(({ action }) => action.pathname === NEW)!;
      const body = bodyOf(form, GOOD);
      const headers = { Cookie: cookieOf(visitor) };
      const sendAgain = () => fetch(form.action, { method: 'POST', body, headers, redirect: 'manual' });
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
      const { developer, id, name, createdAt } = await atOwn(server).then((own) => ({ ...own, ...own.application }));
      await newOwnApplication(server, await newDeveloper(server), { name: 'Not mine' });
      const visitor = await inPortal(server, developer);
      expect(visitor.view().text).toContain(id);
      expect(visitor.view().markup).toContain(new Date(createdAt).toISOString());
      expect(visitor.view().text).not.toContain('Not mine');
      expect((await visitor.follow(name)).title).toContain(name);
    });
  });

  test('every page escapes the name and the URIs', async () => {
    const { visitor, path } = await atOwn(server, '', {
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
      const { visitor, id } = await atOwn(server, '/redirect-uris');
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
  });

  test.each([
    ['/redirect-uris', 'redirect_uris', {}],
    ['/settings', 'name', { action: 'rename' }],
  ] as const)('%s keeps what is stored instead of a value that is rejected', async (page, field, hidden) => {
    const { visitor, id, application } = await atOwn(server, page);
    const [typed, said] = REFUSED[field];
    const shown = await visitor.submit({ ...hidden, [field]: typed });
    expect([shown.status, fieldValue(shown, field)]).toEqual([422, typed]);
    expect(problemOf(shown, field)).toContain(escaped(said));
    expect(await stored(id)).toEqual(application);
  });

  describe('settings', () => {
    const settings = (change = {}) => atOwn(server, '/settings', change);

    test('rename the application', async () => {
      const { visitor, id, name } = await settings();
      expect(fieldValue(visitor.view(), 'name')).toBe(name);
      const shown = await send(visitor, { action: 'rename' }, { name: '  Day\t Rides ' });
      expect(shown.text).toContain('Name saved.');
      expect(shown.title).toContain('Day Rides');
      expect((await stored(id))?.name).toBe('Day Rides');
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
    const NOT_THE_NAME = 'Type the app’s exact name';
    test.each<[action: string, wrong: Record<string, string>, said: string]>([
      ['transfer', { developer: '' }, 'Enter the new owner’s developer ID.'],
      ['transfer', { developer: 'nobody' }, 'No developer has this ID. Check it with the new owner.'],
      ['transfer', { developer: 'themselves' }, 'This is your own developer ID. Enter the new owner’s.'],
      ['transfer', { developer: 'full' }, `The new owner already has ${MOST_APPLICATIONS} apps`],
      ['transfer', { transfer_name: '' }, NOT_THE_NAME],
      ['transfer', { transfer_name: 'X' }, NOT_THE_NAME],
      ['delete', { delete_name: '' }, NOT_THE_NAME],
      ['delete', { delete_name: 'night rides' }, NOT_THE_NAME],
    ])('refuse to %s with %j', async (action, wrong, said) => {
      const { visitor, id, name, developer } = await settings({ name: 'Night Rides' });
      const right: Record<string, string> =
        action === 'transfer' ? { developer: (await newDeveloper(server)).id, transfer_name: name } : {};
      const [[field, value]] = Object.entries(wrong) as [[string, string]];
      const ids: Record<string, string> = { themselves: developer.id, full: value === 'full' ? await full() : '' };
      const typed = { ...right, [field]: ids[value] ?? value };
      const shown = await send(visitor, { action }, typed);
      expect(shown.status).toBe(422);
      expect(problemOf(shown, field)).toContain(said);
      for (const [key, entered] of Object.entries(typed)) expect(fieldValue(shown, key)).toBe(entered);
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
});
