import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtCommand } from '../../scripts/support/built-server.ts';
import { ADA } from '../support/consent.ts';
import { everyEngine } from '../support/database.ts';
import { run } from '../support/run.ts';
import { openShell } from '../support/shell.ts';
import { until } from '../support/until.ts';
import { newVisitor } from '../support/visitor.ts';
import { newHome, PRODUCTION } from './support.ts';

const NAME = new URL(PRODUCTION.PUBLIC_URL).host;

const section = /\n## First steps\n([\s\S]*?)\n## /.exec(readFileSync('docs/deploy.md', 'utf8'))![1]!;
/** The commands in docs/deploy.md, as an operator copies them. */
const [AS_SERVER, MAKE, ASK_PRICE, RIDE_IN_SANDBOX, LINK, RIDE_LIVE, HAND_ON] = [
  ...section.matchAll(/```sh\n(.*?)```/gs),
].map(([, command]) => command!);

/** Whether a server runs, and the engine. tests/process/operator.test.ts creates an application in each case. */
const CASES = everyEngine.flatMap((engine) => [
  ['while a server runs', engine, true] as const,
  ['before the first start', engine, false] as const,
]);
const USUALLY = CASES.filter(([, engine, isRunning]) => isRunning && engine === everyEngine.at(-1));

describe('the first steps of docs/deploy.md', () => {
  test.each(run === 'long' ? CASES : USUALLY)(
    'lead to a ride if the application is created %s, on %s',
    async (_, engine, isRunning) => {
      const home = await newHome(engine);
      const folder = mkdtempSync(join(tmpdir(), 'ridehail-first-steps-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const shell = await openShell({ ...PRODUCTION, DATABASE_URL: home.url, NAME });
      onTestFinished(() => shell.close());
      // the test runs as the server's user, with the server's settings in the environment
      expect(AS_SERVER).toContain('cd /opt/ridehail; node_modules/.bin/ridehail-server "$@"');
      await shell.paste(`ridehail-server() { node '${await builtCommand()}' "$@"; }; cd '${folder}'`);
      let server = isRunning ? await home.start(PRODUCTION) : null;
      const empty = server;
      // printed after the line that start() waits for
      if (empty !== null)
        await until(() => expect(empty.output()).toMatch(/^ {2}no application {2}ridehail-server developer create/m));

      const link = /https:\S+/.exec(await shell.paste(MAKE!))![0];
      expect(link).toMatch(new RegExp(`^https://${NAME}/portal/set-password\\?link=[\\w-]{43}$`));
      expect(statSync(join(folder, 'application.json')).mode & 0o777).toBe(0o600);
      if (engine === 'sqlite') expect(statSync(home.url.slice('file:'.length)).mode & 0o777).toBe(0o600);
      server ??= await home.start(PRODUCTION);
      const { baseUrl, port } = server;
      if (!isRunning) expect(server.output()).not.toContain('no application');
      const paste = async (text: string) => {
        const printed = await shell.paste(text.replaceAll('localhost:8080', `localhost:${port}`));
        return printed.split('\n').filter((line) => line !== '');
      };

      const [price] = await paste(ASK_PRICE!);
      expect(JSON.parse(price!).cost_estimates[0]).toMatchObject({ currency: 'USD' });
      const [moved, ridden] = await paste(RIDE_IN_SANDBOX!);
      expect([JSON.parse(moved!), JSON.parse(ridden!)]).toMatchObject([
        { status: 'droppedOff' },
        { status: 'droppedOff' },
      ]);

      const visitor = newVisitor(baseUrl);
      await visitor.open((await paste(LINK!))[0]!.replace(`https://${NAME}`, baseUrl));
      await visitor.follow('Create an account');
      await visitor.submit(ADA);
      await visitor.submit({ email: ADA.email, password: ADA.password });
      const { location } = await visitor.submit({ decision: 'allow' });
      expect(location?.href).toContain('https://app.example.com/callback?');
      const [live] = await paste(RIDE_LIVE!.replace('the-code', location!.searchParams.get('code')!));
      expect(JSON.parse(live!)).toMatchObject({ passenger: { first_name: ADA.first_name } });

      const text = (await paste(HAND_ON!)).join('\n');
      expect(text).toMatch(
        /First steps {2}dana@example.com[\s\S]*name +Another name[\s\S]*client_secret [\s\S]*Deleted Another name\./,
      );
      await expect(paste(ASK_PRICE!)).rejects.toThrow('401');
    },
  );
});
