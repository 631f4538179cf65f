import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import { DEMO, DEMO_PASSENGERS } from '../../server/demo.ts';
import { sharedProcess } from '../process/support.ts';
import { newVisitor } from '../support/visitor.ts';

const PAGE = readFileSync('docs/guides/original-api.md', 'utf8');
const blocksIn = (language: string) =>
  [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, block]) => block!);

const server = sharedProcess();
const folder = mkdtempSync(join(tmpdir(), 'ridehail-original-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a client of the original API takes a ride, live and in the sandbox, with only the host set', async () => {
  const [program = ''] = blocksIn('python');
  const [install = '', start = ''] = blocksIn('sh');
  const here = program.replace('localhost:8080', `localhost:${server.port}`);
  writeFileSync(join(folder, 'ride.py'), here);
  await paste(install);

  const printed = await paste(start);
  expect(printed).toMatch(/^Ride types: \[.*'svc'.*\]$/m);
  expect(printed).toMatch(/^Canceled: 204$.*^Status: droppedOff$.*^Paid: \d+$/ms);

  const live = here.replace('is_sandbox_mode=True', 'is_sandbox_mode=False').split('\nride =')[0]!;
  writeFileSync(join(folder, 'ride.py'), live);
  expect(await paste(start)).toMatch(/^Passenger: Maya$.*^Canceled: 204$/ms);
});

/** Runs commands in the folder. Follows the link that they print, as the page says. @returns their output */
async function paste(commands: string): Promise<string> {
  const shell = spawn('sh', ['-ec', commands], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(shell, 'exit');
  let output = '';
  for await (const line of createInterface({ input: shell.stdout })) {
    output += `${line.replace(/^Paste [^:]*: /, '')}\n`;
    const link = /^Open this link: (.*)/.exec(line)?.[1];
    if (link !== undefined) shell.stdin.write(`${await allow(link)}\n`);
  }
  const [code] = await ended;
  expect(code, output).toBe(0);
  return output;
}

async function allow(link: string): Promise<string> {
  const visitor = newVisitor(server.baseUrl);
  await visitor.open(link);
  await visitor.submit({ email: DEMO_PASSENGERS[0]!.email, password: DEMO.password });
  return (await visitor.submit({ decision: 'allow' })).url.href;
}
