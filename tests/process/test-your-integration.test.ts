import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../generated/server.ts';
import { referencePage } from '../../scripts/docs/reference.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { sharedProcess } from './support.ts';

const run = promisify(execFile);

const PAGE = referencePage('test-your-integration').description;

/** The commands on the page, with the output that the page shows. */
interface Step {
  readonly title: string;
  readonly commands: string;
  readonly printed: string;
}

const STEPS: readonly Step[] = PAGE.split(/^## /m).flatMap((section) => {
  const title = section.slice(0, section.indexOf('\n'));
  const steps = section.matchAll(/```sh\n(.*?)```(?:\s*```(?:json|text)\n(.*?)```)?/gs);
  return [...steps].map(([, commands = '', printed = '']) => ({ title, commands, printed }));
});

const server = sharedProcess();
let outputs: readonly string[];
beforeAll(async () => {
  const mark = `step-${await freePort()}-ended`;
  const script = STEPS.map(({ commands }) => `${commands}\necho ${mark}\n`).join('');
  // one shell runs all steps, as the page says
  const { stdout } = await run('bash', ['-ec', await elsewhere(script)]);
  outputs = stdout.split(`${mark}\n`);
});

/** Replaces the ports in the page's commands with free ports. */
async function elsewhere(commands: string): Promise<string> {
  return commands.replaceAll('localhost:8080', `localhost:${server.port}`).replaceAll('9091', String(await freePort()));
}

test.each(STEPS.map((step, index) => ({ ...step, index })))(
  '$title, step $index: prints the output on the page',
  ({ index, printed }) => {
    expect(outputs[index]).toBe(printed);
  },
);

test('it names every error of the operations on rides', () => {
  const ofRides = Object.values(OPERATIONS).filter(({ tag }) => tag === 'Rides');
  const codes = new Set(ofRides.flatMap(({ failures }) => Object.keys(failures)));
  const named = new Set(STEPS.flatMap(({ commands }) => commands.match(/\w+/g) ?? []));
  expect([...codes].filter((code) => !named.has(code))).toEqual([]);
});
