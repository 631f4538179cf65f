import type { AddressInfo } from 'node:net';
import express from 'express';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DAY_MS } from '../../server/domain/time.ts';
import { browserCookies, CSRF_FIELD } from '../../server/http/browser.ts';
import { hashPassword } from '../../server/oauth/passwords.ts';
import { hashOf } from '../../server/oauth/secrets.ts';
import { type Account, type Accounts, developerAccounts, passengerAccounts } from '../../server/sign-in/accounts.ts';
import { passwordCheck } from '../../server/sign-in/passwords.ts';
import { readForm } from '../../server/sign-in/sent-form.ts';
import { beginSession, signedIn } from '../../server/sign-in/session.ts';
import { changeDeveloperPassword, insertDeveloperIfAbsent } from '../../server/store/developers.ts';
import { changePasswordHash } from '../../server/store/passengers.ts';
import { deleteSignIns } from '../../server/store/sessions.ts';
import { engines } from '../support/database.ts';
import { LIVE, type TestServer } from '../support/server.ts';
import { serverForEach } from '../support/started.ts';

/** Shared by an account of each kind, to test that the kinds do not mix. */
const ID = 'ada';
const EMAIL = 'ada@example.com';
const PASSWORD = 'analytical engine';

type Kind = 'passengers' | 'developers';
const KINDS: [kind: Kind, other: Kind][] = [
  ['passengers', 'developers'],
  ['developers', 'passengers'],
];

const OF: Readonly<Record<Kind, (parts: TestServer['parts']) => Accounts>> = {
  passengers: passengerAccounts,
  developers: developerAccounts,
};

const CHANGE: Readonly<
  Record<Kind, (server: TestServer, hashes: { before: string; after: string }) => Promise<boolean>>
> = {
  passengers: ({ store }, hashes) => changePasswordHash(store.db, { worldId: LIVE.id, id: ID }, hashes),
  developers: ({ store }, hashes) => changeDeveloperPassword(store.db, ID, hashes),
};

describe.each(engines)('on %s', (engine) => {
  const server = serverForEach(engine);
  let passwordHash: string;

  beforeEach(async () => {
    passwordHash = await hashPassword(PASSWORD, { flow: 'test', signal: new AbortController().signal });
    await server.newPassenger(LIVE, { id: ID, email: EMAIL, passwordHash });
    const developer = { id: ID, email: EMAIL, passwordHash, createdAt: 0 };
    expect(await insertDeveloperIfAbsent(server.store.db, developer)).toBe(true);
  });

  describe.each(KINDS)('of %s', (kind, other) => {
    const [accounts, others] = [() => OF[kind](server.parts), () => OF[other](server.parts)];
    const account = (): Account => ({ id: ID, email: EMAIL, passwordHash });

    test('a session is valid only for its own kind, until it expires or all sign-ins end', async () => {
      const browser = await newBrowser(server, accounts());
      expect(await browser.begin(account())).toBe(true);
      const visitor = { sessionHash: browser.sessionHash(), realNow: server.parts.now() };
      expect((await signedIn(server.parts, accounts(), visitor))?.account).toMatchObject(account());
      expect(await signedIn(server.parts, others(), visitor)).toBeNull();
      const late = { ...visitor, realNow: visitor.realNow + DAY_MS };
      expect(await signedIn(server.parts, accounts(), late)).toBeNull();
      await deleteSignIns(server.store.db, others().tables, ID);
      expect(await signedIn(server.parts, accounts(), visitor)).not.toBeNull();
      await deleteSignIns(server.store.db, accounts().tables, ID);
      expect(await signedIn(server.parts, accounts(), visitor)).toBeNull();
    });

    test('a session does not start if the password has just changed', async () => {
      const browser = await newBrowser(server, accounts());
      await CHANGE[kind](server, { before: passwordHash, after: 'another hash' });
      expect(await browser.begin(account())).toBe(false);
      expect([...browser.cookies]).toEqual([]);
      const elsewhere = await newBrowser(server, others());
      expect(await elsewhere.begin(account())).toBe(true);
    });

    test('after wrong passwords for an email, the next try must wait, but not for the other kind', async () => {
      const [check, checkOther] = [passwordCheck(server.parts, accounts()), passwordCheck(server.parts, others())];
      for (let n = 0; n < 5; n++) {
        expect(await check(claim(server, 'wrong'))).toEqual({ account: null, accountOf: ID });
      }
      expect(await check(claim(server, PASSWORD))).toHaveProperty('waitSeconds');
      expect(await checkOther(claim(server, PASSWORD))).toMatchObject({ account: account() });
    });

    test('a form is accepted only with a CSRF token of its own kind', async () => {
      const own = await newBrowser(server, accounts());
      const { csrfToken, cookie } = await own.openForm();
      expect(await own.send({ csrfToken, cookie })).toBe(200);
      const elsewhere = await newBrowser(server, others());
      // a site on the same domain can set cookies and knows the names
      const renamed = cookie.replace(accounts().cookies.csrf, others().cookies.csrf);
      expect(await elsewhere.send({ csrfToken, cookie })).toBe(403);
      expect(await elsewhere.send({ csrfToken, cookie: renamed })).toBe(403);
    });
  });
});

function claim({ parts }: TestServer, password: string) {
  const networks = { narrow: '192.0.2.1', middle: '192.0.2.1', wide: '192.0.2.0' };
  const visitor = {
    network: networks.narrow,
    networks,
    deviceHashes: [],
    sessionHash: null,
    csrfToken: () => '',
    realNow: parts.now(),
    audit: () => {},
  };
  return { email: EMAIL, password, visitor, signal: new AbortController().signal };
}

/** Starts a server for one kind of accounts and a browser. The server starts sessions without a password. */
async function newBrowser({ parts }: TestServer, accounts: Accounts) {
  const cookies = browserCookies(parts, accounts.cookies);
  let asked: Account | undefined;
  const app = express();
  app.use((req, _res, next) => {
    cookies.read(req);
    next();
  });
  app.post('/session', async (req, res) => {
    const isBegun = await beginSession(parts, accounts, { cookies, res, visitor: cookies.visitor(req, res) }, asked!);
    res.sendStatus(isBegun ? 200 : 422);
  });
  app.get('/form', (req, res) => void res.send(cookies.visitor(req, res).csrfToken()));
  app.post('/form', readForm, (req, res) => void res.sendStatus(cookies.isForged(req) ? 403 : 200));
  const listening = app.listen(0);
  onTestFinished(() => void listening.close());
  const url = `http://localhost:${(listening.address() as AddressInfo).port}`;
  const kept = new Map<string, string>();
  const keep = (response: Response) => {
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=');
      kept.set(name!, value!);
    }
  };
  return {
    cookies: kept,
    sessionHash: () => hashOf(kept.get(accounts.cookies.session)!),
    begin: async (account: Account) => {
      asked = account;
      const response = await fetch(`${url}/session`, { method: 'POST' });
      keep(response);
      return response.ok;
    },
    openForm: async () => {
      const response = await fetch(`${url}/form`);
      keep(response);
      return { csrfToken: await response.text(), cookie: [...kept].map((pair) => pair.join('=')).join('; ') };
    },
    send: async ({ csrfToken, cookie }: { readonly csrfToken: string; readonly cookie: string }) => {
      const body = new URLSearchParams({ [CSRF_FIELD]: csrfToken });
      return (await fetch(`${url}/form`, { method: 'POST', headers: { cookie }, body })).status;
    },
  };
}
