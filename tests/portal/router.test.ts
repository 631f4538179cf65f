import { describe, expect, test } from 'vitest';
import { ACCOUNT_PATHS, PORTAL_PATHS } from '../../server/links.ts';
import { MAYA } from '../support/consent.ts';
import { engines } from '../support/database.ts';
import { answerTo, lastHead } from '../support/raw-socket.ts';
import { testServer } from '../support/started.ts';
import { newVisitor } from '../support/visitor.ts';
import { at, developerAt } from './support.ts';

const { overview, signIn, signOut } = PORTAL_PATHS;

describe.each(engines)('on %s', (engine) => {
  const server = testServer(engine, { withPages: true, rateLimitMultiplier: 1000 });
  test('a developer and a passenger sign in and out independently in one browser', async () => {
    const visitor = await developerAt(server);
    await visitor.open(ACCOUNT_PATHS.overview);
    await visitor.submit(MAYA);
    await visitor.open(overview);
    await visitor.submit({}, signOut);
    expect(at(await visitor.open(ACCOUNT_PATHS.overview))).toBe(ACCOUNT_PATHS.overview);
    expect(at(await visitor.open(overview))).toBe(signIn);
  });

  test.each([
    ['/portal/', 404],
    ['/portal/nothing', 404],
    ['/portal/account/nothing', 404],
    ['/portal/Account', 404],
    ['/portal/%00', 404],
    ['/portal/%', 404],
    ['/portal/sign-out', 405],
  ])('%s shows an error page, with or without a session', async (path, status) => {
    for (const visitor of [newVisitor(server.baseUrl), await developerAt(server)]) {
      const view = await visitor.open(path);
      expect([view.status, view.headers.get('cache-control')]).toEqual([status, 'no-store']);
      expect(view.headers.get('content-type')).toBe('text/html; charset=utf-8');
    }
  });

  test.each(['/portal/nothing', '/portal/sign-in'])(
    '%s stores no response to a body that is not HTTP',
    async (path) => {
      const head = lastHead('POST', path, ['Transfer-Encoding: chunked']);
      const { status, headers } = await answerTo(server.baseUrl, `${head}no size\r\n`);
      expect([status, headers.get('cache-control')]).toEqual([400, 'no-store']);
    },
  );
});
