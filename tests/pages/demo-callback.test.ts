import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO, demoRedirectUri } from '../../server/demo.ts';
import { demoRouter } from '../../server/pages/demo-callback.ts';
import { decoded } from '../support/markup.ts';
import { type PageServer, serve } from './support.ts';

// a URL's path may contain a quotation mark, which starts a string in a shell
const PUBLIC_URL = "https://rides.example/it's";
const HOSTILE = `"'><script>alert(1)</script>&`;

let pages: PageServer;
beforeAll(async () => {
  pages = await serve((app) => app.use(demoRouter({ publicUrl: PUBLIC_URL })));
});
afterAll(() => pages.close());

function arrive(parameters: Record<string, string> | string) {
  return pages.get(`${demoRedirectUri('')}?${new URLSearchParams(parameters)}`);
}

/** The arguments that a shell gives to the `curl` command on a page. */
function wordsOfCommand(text: string): string[] {
  const [, escaped] = /<pre[^>]*><code>(curl[^<]*)<\/code>/.exec(text)!;
  const said = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${decoded(escaped!)}`], {
    encoding: 'utf8',
  });
  return said.trimEnd().split('\n');
}

test('a code is shown with its state and the command that trades it', async () => {
  const { status, titles, text } = await arrive({ code: 'Ab-9_z', state: 'my state' });
  expect([status, titles]).toEqual([200, ['Access was allowed · Ridehail']]);
  expect(text).toContain('<dt>code</dt><dd><code>Ab-9_z</code></dd>');
  expect(text).toContain('<dt>state</dt><dd><code>my state</code></dd>');
  expect(text).toContain('good for ten minutes, and once');
  expect(wordsOfCommand(text)).toEqual([
    '-s',
    '-u',
    `${DEMO.clientId}:${DEMO.clientSecret}`,
    '-H',
    'Content-Type: application/json',
    '-d',
    '{"grant_type":"authorization_code","code":"Ab-9_z"}',
    PUBLIC_URL + OPERATIONS.createToken.path,
  ]);
});

test.each(["x' ; rm -rf ~ '", '$(id)', '`id`', 'a b', 'a\n', 'é', '', HOSTILE])(
  'a code that no server of ours made is in no command: %j',
  async (code) => {
    const { status, text } = await arrive({ code });
    expect(status).toBe(200);
    expect(text).not.toMatch(/curl|<script/);
    expect(text).toContain('This is no code of this server');
  },
);

test.each(OPERATIONS.authorizeApplication.redirectErrors)(
  'the error %s is shown with what it means, and no code beside it',
  async (error) => {
    const { titles, text } = await arrive({
      code: 'abc',
      error,
      error_description: 'Because of <this>.',
      state: 's-1',
    });
    expect(titles[0]).toBe(
      error === 'access_denied' ? 'Access was denied · Ridehail' : 'Access could not be asked for · Ridehail',
    );
    expect(text).toContain(`<dd><code>${error}</code></dd>`);
    expect(text).toContain('Because of &lt;this&gt;.');
    expect(text).toContain('<dd><code>s-1</code></dd>');
    expect(text).not.toMatch(/curl|no such error/);
  },
);

test.each([HOSTILE, 'toString', '__proto__', ''])('an unknown error is shown harmlessly: %j', async (error) => {
  const { status, text } = await arrive({ error, error_description: HOSTILE, state: HOSTILE });
  expect(status).toBe(200);
  expect(text).toContain('This server gives no such error.');
  expect(text).not.toContain('<script');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;');
});

test.each(['', 'code=a&code=b', 'code[x]=a', 'error[]=b'])(
  'nothing is answered with how to begin: %j',
  async (query) => {
    const { status, titles, text } = await arrive(query);
    expect([status, titles]).toEqual([200, ['The demo application · Ridehail']]);
    expect(text).toContain(DEMO.password);
    const [, href] = /<a href="([^"]*)">Ask for access<\/a>/.exec(text)!;
    const url = new URL(decoded(href!));
    expect(url.href).toMatch(PUBLIC_URL + OPERATIONS.authorizeApplication.path);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ client_id: DEMO.clientId, response_type: 'code' });
  },
);

test('is not kept, for the address holds a code, and sends no form anywhere', async () => {
  const { headers } = await arrive({ code: 'abc' });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toContain("form-action 'none'");
});
