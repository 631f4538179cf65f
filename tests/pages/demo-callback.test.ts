import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { DEMO, demoRedirectUri } from '../../server/demo.ts';
import { decoded } from '../support/markup.ts';
import { testServer } from '../support/started.ts';
import { pagesOf } from './support.ts';

// the path of a URL may contain a quotation mark, which starts a string in a shell
const PUBLIC_URL = "https://rides.example/it's";
const HOSTILE = `"'><script>alert(1)</script>&`;

const open = pagesOf(testServer('sqlite', { withPages: true, publicUrl: PUBLIC_URL }));
const arrive = (parameters: Record<string, string> | string) =>
  open(`${demoRedirectUri('')}?${new URLSearchParams(parameters)}`);

/** Returns the arguments that a shell passes to the `curl` command on a page. */
function wordsOfCommand(text: string): string[] {
  const [, escaped] = /<pre[^>]*><code>(curl[^<]*)<\/code>/.exec(text)!;
  const said = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${decoded(escaped!)}`], {
    encoding: 'utf8',
  });
  return said.trimEnd().split('\n');
}

test('a code is shown with its state and with the command that exchanges it', async () => {
  const { status, titles, text } = await arrive({ code: 'Ab-9_z', state: 'my state' });
  expect([status, titles]).toEqual([200, ['Access allowed · Ridehail']]);
  expect(text).toContain('<dt>code</dt><dd><code>Ab-9_z</code></dd>');
  expect(text).toContain('<dt>state</dt><dd><code>my state</code></dd>');
  expect(text).toContain('Use the code once, within ten minutes.');
  const [credentials, type] = [`${DEMO.clientId}:${DEMO.clientSecret}`, 'Content-Type: application/json'];
  const body = '{"grant_type":"authorization_code","code":"Ab-9_z"}';
  const url = PUBLIC_URL + OPERATIONS.createToken.path;
  expect(wordsOfCommand(text)).toEqual(['-s', '-u', credentials, '-H', type, '-d', body, url]);
});

test.each(["x' ; rm -rf ~ '", '$(id)', '`id`', 'a b', 'a\n', 'é', '', HOSTILE])(
  'a code of another server is in no command: %j',
  async (code) => {
    const { status, text } = await arrive({ code });
    expect(status).toBe(200);
    expect(text).not.toMatch(/curl|<script>alert/);
    expect(text).toContain('This server didn’t issue this code');
  },
);

test.each(OPERATIONS.authorizeApplication.redirectErrors)(
  'the error %s is shown with its meaning and without a code',
  async (error) => {
    const { titles, text } = await arrive({ code: 'abc', error, error_description: 'As <this>.', state: 's-1' });
    expect(titles[0]).toBe(`${error === 'access_denied' ? 'Access denied' : 'Authorization failed'} · Ridehail`);
    for (const said of [`<dd><code>${error}</code></dd>`, 'As &lt;this&gt;.', '<dd><code>s-1</code></dd>']) {
      expect(text).toContain(said);
    }
    expect(text).not.toMatch(/curl|doesn’t return this error/);
  },
);

test.each([HOSTILE, 'toString', '__proto__', ''])('an unknown error is shown harmlessly: %j', async (error) => {
  const { status, text } = await arrive({ error, error_description: HOSTILE, state: HOSTILE });
  expect([status, text.includes('<script>alert')]).toEqual([200, false]);
  expect(text).toContain('This server doesn’t return this error.');
  expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&amp;');
});

test.each(['', 'code=a&code=b', 'code[x]=a', 'error[]=b'])(
  'without a code or an error, the page says how to start: %j',
  async (query) => {
    const { status, titles, text } = await arrive(query);
    expect([status, titles]).toEqual([200, ['Demo application · Ridehail']]);
    expect(text).toContain(DEMO.password);
    const [, href] = /<a href="([^"]*)">Request access<\/a>/.exec(text)!;
    const url = new URL(decoded(href!));
    expect(url.href).toMatch(PUBLIC_URL + OPERATIONS.authorizeApplication.path);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ client_id: DEMO.clientId, response_type: 'code' });
  },
);

test('the page is not cached, because its URL has a code, and its policy allows no forms', async () => {
  const { headers } = await arrive({ code: 'abc' });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('content-security-policy')).toContain("form-action 'none'");
});
