import { beforeAll, describe, expect, test } from 'vitest';
import { CSRF_FIELD } from '../../server/http/browser.ts';
import { ACCOUNT_PATHS, CONSENT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { BESIDE } from '../http/support/routes-beside.ts';
import { atOwn, bodyOf, inPortal, newEventOf, PAGES_OF_APPLICATION, send } from '../portal/applications-support.ts';
import { newDeveloper, newLink, setPasswordPath, signUpPath } from '../portal/support.ts';
import { CLOSED_PORT_URL } from '../support/accepted-calls.ts';
import { changingNothing, expectStored } from '../support/changing-nothing.ts';
import { newcomer, pathOfRequest, queryOfRequest, signedInVisitor } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { tablesIn } from '../support/everything-stored.ts';
import type { Form } from '../support/markup.ts';
import type { TestServer } from '../support/server.ts';
import { testServer } from '../support/started.ts';
import { newVisitor, type View, type Visitor } from '../support/visitor.ts';
import { INHERITED, ODD_TEXTS } from '../tools/values/sound.ts';

const EVENT = '/deliveries/:world/:event';
/** The name of the application. */
const NAME = 'Not yours';

interface Found {
  /** As in the list of routes. */
  readonly route: string;
  readonly form: Form;
  readonly visitor: Visitor;
}

/** The different forms of all pages, as their visitors see them. */
async function everyForm(server: TestServer): Promise<Found[]> {
  const passenger = await signedInVisitor(server.baseUrl);
  await passenger.submit({ decision: 'allow' });
  // the next view also has a form for the code
  await passenger.open(ACCOUNT_PATHS.phone);
  await passenger.submit({ phone_number: '+14155550123', action: 'send' });
  const urls = { webhookUrl: CLOSED_PORT_URL, sandboxWebhookUrl: CLOSED_PORT_URL };
  const {
    visitor: developer,
    path,
    name,
    developer: own,
    application,
  } = await atOwn(server, '/settings', { name: NAME, ...urls });
  const { detail } = await newEventOf(server, application, 'sandbox');
  const event = detail.replace(path, '');
  const { developer: other } = await atOwn(server);
  await send(developer, { action: 'offer' }, { developer: other.id, transfer_name: name });
  const links = [
    signUpPath(await newLink(server, 'grace@example.com')),
    setPasswordPath(await newLink(server, own.email, own.id)),
  ];
  const { signIn: _, signOut: __, ...account } = ACCOUNT_PATHS;
  const { account: developers, password, deletion, newApplication } = PORTAL_PATHS;
  const opened: ReadonlyArray<readonly [Visitor, readonly string[]]> = [
    [
      await newcomer(server.baseUrl),
      [pathOfRequest(), `${CONSENT_PATHS.signUp}?${queryOfRequest()}`, ACCOUNT_PATHS.signIn],
    ],
    [newVisitor(server.baseUrl), [PORTAL_PATHS.signIn, ...links]],
    [passenger, [pathOfRequest({ scope: 'public profile' }), ...Object.values(account)]],
    [
      developer,
      [
        ...[developers, password, deletion, newApplication],
        ...[...PAGES_OF_APPLICATION, '/deliveries?world=sandbox', event].map((page) => path + page),
      ],
    ],
    [await inPortal(server, other), [PORTAL_PATHS.overview]],
  ];
  const found = new Map<string, Found>();
  for (const [visitor, pages] of opened) {
    for (const page of pages) {
      // a form that only filters is a link
      for (const form of (await visitor.open(page)).forms.filter(({ method }) => method === 'post')) {
        const route = form.action.pathname.replace(event, EVENT).replace(path, PORTAL_PATHS.application);
        found.set([route, ...namesIn(form)].join(' '), { route, form, visitor });
      }
    }
  }
  return [...found.values()];
}

function namesIn({ fields }: Form): string[] {
  return [...new Set(fields.map(({ name }) => name))].filter((name) => name !== '');
}

const [PROTO, ...OTHERS] = INHERITED;
/** For every field, as they are in a body. The first field of each route also gets another of each list, in turn. */
const VALUES = [PROTO, ...ODD_TEXTS].map(encodeURIComponent);
/** Half a surrogate pair, NUL, and texts longer than a field and than a form. The same code refuses them in every field. */
const NEVER_STORED = new Map([
  ['%ed%a0%80', 'The form is malformed.'],
  ['a%00b', ' contains characters that cannot be stored.'],
  ['x'.repeat(10_000), ' is too long.'],
  ['x'.repeat(40_000), 'The form is too large.'],
]);
const REFUSED = [...NEVER_STORED.keys()];
/** The fields that can take one of these values. */
const FREE = /^(name|password|scope|application_id|__proto__)$/;
/** The markup among them, in a page. */
const ESCAPED = '&quot;&gt;&lt;b&gt;';

/** `*` is the id of another developer's application. */
const IDS = ['*', 'unknown', 'demo', '%00', '*%00', '..%2f*', '%2e%2e%2f', 'x'.repeat(5000), '*x', '%F0%9F%9A%95'];

/** The name of a visitor's cookie. */
const cookieOf = ({ cookies }: Visitor, kind: RegExp) => [...cookies.keys()].find((name) => kind.test(name));
const tokenIn = ({ fields }: Form) => fields.find(({ name }) => name === CSRF_FIELD)!.value;
const EXPIRED = 'This form has expired · Ridehail';

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1e6, isWatched: false });
  let forms: Found[];
  beforeAll(async () => {
    forms = await everyForm(server);
  });

  test('a form with any CSRF token but its own is refused, and changes nothing', async () => {
    const browsers = new Map(
      forms.map(({ visitor, form }) => {
        const name = cookieOf(visitor, /csrf$/)!;
        return [visitor, { name, cookie: visitor.cookies.get(name)!, token: tokenIn(form) }];
      }),
    );
    await changingNothing(server, async () => {
      const done = new Set<Visitor>();
      for (const { visitor, form, route } of forms) {
        const { name, cookie, token: own } = browsers.get(visitor)!;
        const others = [...browsers.values()].filter((browser) => browser.token !== own);
        const forged: Array<readonly [token: string, cookie: string]> = [
          ['', cookie],
          ...others.flatMap(({ token, cookie: theirs }) => [[token, cookie] as const, [token, theirs] as const]),
          [own.replace(/.$/, (last) => (last === '0' ? '1' : '0')), cookie],
          ['made.up', 'made.up'],
          [own, ''],
        ];
        for (const [token, planted] of done.has(visitor) ? forged.slice(0, 2) : forged) {
          visitor.cookies.set(name, planted);
          // without a token, it is refused before its query and its fields are read
          const { status, title, redirects, headers } = await (token === ''
            ? visitor.post(`${form.action.pathname}?client_id=stranger`, 'email=%00&email=')
            : visitor.post(form.action.href, bodyOf(form, { [CSRF_FIELD]: token })));
          const said = [route, status, title, redirects, headers.get('cache-control')];
          expect(said).toEqual([route, 403, EXPIRED, [], 'no-store']);
        }
        done.add(visitor);
        visitor.cookies.set(name, cookie);
      }
    });
  });

  test('without a session, every form of an account leads to the sign-in, and changes nothing', async () => {
    for (const { overview, signIn } of [ACCOUNT_PATHS, PORTAL_PATHS]) {
      const visitor = newVisitor(server.baseUrl);
      const token = tokenIn((await visitor.open(signIn)).forms[0]!);
      const needing = forms.filter((each) => each.route.startsWith(overview) && cookieOf(each.visitor, /session$/));
      expect(needing.length).toBeGreaterThan(5);
      await changingNothing(server, async () => {
        for (const { route, form } of needing) {
          const body = bodyOf(form, { [CSRF_FIELD]: token });
          expect([route, (await visitor.post(form.action.href, body)).url.pathname]).toEqual([route, signIn]);
        }
      });
    }
  });

  test('every page and form returns 404 for the id of another application, and for any other', async () => {
    const stranger = await inPortal(server, await newDeveloper(server), PORTAL_PATHS.newApplication);
    const token = tokenIn(stranger.view().forms.at(-1)!);
    const own = forms.filter(({ route }) => route.startsWith(PORTAL_PATHS.application));
    const [, , , application = ''] = own[0]!.form.action.pathname.split('/');
    await changingNothing(server, async () => {
      for (const id of IDS) {
        const path = PORTAL_PATHS.application.replace(':application', id.replace('*', application));
        const expectNone = ({ status, text }: View, what: string) =>
          expect([id, what, status, text.includes(NAME)]).toEqual([id, what, 404, false]);
        // every page and form looks for its application in the same way
        const some = <T>(all: readonly T[]) => (id === '*' ? all : all.slice(0, 2));
        for (const page of some(PAGES_OF_APPLICATION)) expectNone(await stranger.open(path + page), page);
        for (const { route, form } of some(own)) {
          // an empty form has errors, which would reveal the application
          const empty = new URLSearchParams({ [CSRF_FIELD]: token });
          for (const body of [bodyOf(form, { [CSRF_FIELD]: token }), empty]) {
            expectNone(await stranger.post(route.replace(PORTAL_PATHS.application, path), body), `${route} ${body}`);
          }
        }
      }
    });
  });

  test('no text in a field of a form, and no name of a field, is an error of the server, and what is refused changes nothing', async () => {
    const routes = Object.values(BESIDE)
      .flat()
      .filter((route) => route.startsWith('POST '));
    expect([...new Set(forms.map(({ route }) => `POST ${route}`))].sort()).toEqual(routes.sort());
    const tried = new Set<string>();
    let turn = 0;
    for (const { route, form, visitor } of forms) {
      const entries = namesIn(form).map(
        (name) => [name, form.fields.find((each) => each.name === name)!.value] as const,
      );
      /** @returns the values that the form refuses */
      const attempt = async (changed: string, values: readonly string[]) => {
        const others = entries.filter(([name]) => name !== changed);
        const refused: string[] = [];
        for (const value of values) {
          const pairs = [...others.map(([name, text]) => `${name}=${encodeURIComponent(text)}`), `${changed}=${value}`];
          const { status, headers, markup, text } = await visitor.post(form.action.href, pairs.join('&'));
          const what = `${route}: ${pairs.at(-1)!.slice(0, 60)}`;
          expect(status, what).toBeLessThan(500);
          expect(markup.replaceAll(ESCAPED, ''), what).not.toMatch(/(>|&gt;)(<|&lt;)b(>|&gt;)/);
          const refusal = NEVER_STORED.get(value);
          if (refusal) expect([what, status < 400, text.includes(refusal)]).toEqual([what, false, true]);
          if (status < 400) continue;
          expect(headers.get('content-type'), what).toBe('text/html; charset=utf-8');
          refused.push(value);
        }
        return refused;
      };
      const fields = entries.map(([name]) => name).filter((name) => name !== CSRF_FIELD);
      // without a field, a form does what its button says, such as to sign out
      for (const name of fields.length > 0 ? [...fields, PROTO] : []) {
        // all forms of a route read a field in the same way, and the same code reads each of its fields
        if (tried.has(`${route} ${name}`)) continue;
        const few = name === PROTO ? ['1'] : VALUES;
        const values = tried.has(route)
          ? few
          : [...few, OTHERS[turn % OTHERS.length]!, REFUSED[turn % REFUSED.length]!];
        turn += tried.has(route) ? 0 : 1;
        tried.add(route).add(`${route} ${name}`);
        let before = await tablesIn(server.store);
        const refused = await attempt(name, values);
        if (refused.length < values.length) {
          expect(name, route).toMatch(FREE);
          before = await tablesIn(server.store);
          await attempt(name, refused);
        }
        await expectStored(server.store, before, `${route}: ${name}`);
      }
    }
  });
});
