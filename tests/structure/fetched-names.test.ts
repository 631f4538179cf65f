import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesIn } from './support/sources.ts';

// Nobody owns these names on a registry: anyone who registers one could run code on every machine that fetches it.

/** A command that looks a name up on a registry, unless it finds the name on this machine. */
const FETCHES =
  /\b(?:np[mx]|pnpm|yarn|bunx?|deno|pip[3x]?|uvx?|poetry|docker|podman|cargo|gem|composer|brew|apt(?:-get)?|dotnet)\b[^`\n]*/g;
const VERBS = /^(?:npx|pnpx|bunx|uvx)\b|\s(?:i|install|add|exec|x|dlx|pull|run|create|get|require|tool)\b/;
/** Not a path, an address or the name of a file, which have a dot or begin with a slash. */
const OURS = /^@?ridehail[\w-]*(?:\/[\w-]+)?(?:[@:=].*)?$/;
/** Scripts of package.json are on this machine. With these options, so is what the others run. */
const LOCAL =
  /^npm (?:run|start|test)\b|^docker (?:compose|exec)\b|\s(?:--no|--pull never)\s|\s(?:-p|--package)[ =](?:\S*[./$]\S*|TARBALL)/;

function fetchesOurNames(text: string): string[] {
  const commands = text.replace(/\\\n\s*/g, ' ').match(FETCHES) ?? [];
  const isOurs = (word: string) => OURS.test(word.replace(/^["'(]|["').,;]+$/g, ''));
  return commands.filter((one) => VERBS.test(one) && !LOCAL.test(one) && one.split(/\s+/).some(isOurs));
}

test.each([
  'npm install ridehail',
  'npm i -D ridehail-server@1.2.0',
  'npm install \\\n  @ridehail/client',
  'npx ridehail-server start',
  'npx -p ridehail-server ridehail-server start',
  'npm exec ridehail-server',
  'pnpm add ridehail',
  'yarn dlx ridehail',
  'docker pull ridehail',
  'docker run --detach ridehail:1.2',
  'pip install "ridehail"',
  'Then run `cargo add ridehail`.',
])('%j fetches a name', (command) => expect(fetchesOurNames(command)).toHaveLength(1));

test.each([
  'npm install ./ridehail-1.2.0.tgz',
  'sudo npm install --prefix $PROGRAM $PWD/ridehail-server-1.2.0.tgz',
  'npm install https://example.com/ridehail-1.2.0.tgz',
  'npx -p ./ridehail-server-1.2.0.tgz ridehail-server start',
  'npx -p $TARBALL ridehail-server --version',
  'npx --no -- ridehail-server start',
  'npm run -s ridehail-server -- app list',
  'docker run --pull never ridehail',
  'pip install ./ridehail',
])('%j fetches none', (command) => expect(fetchesOurNames(command)).toEqual([]));

const PAGES = ['docs', 'deploy', 'arazzo'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
);
const OTHERS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'client/README.md', 'Dockerfile'];

test('no page, help, sample or script fetches a name of ours', () => {
  const texts = [...OTHERS, 'compose.yaml', 'package.json', 'openapi.yaml', 'webhooks.yaml', ...PAGES].filter(
    (file) => existsSync(file) && /\.(md|ya?ml|json|sh)$|file$|ridehail\./.test(file),
  );
  const files = [...texts, ...sourcesIn('server', 'client', 'scripts', 'generated')];
  const found = files.flatMap((file) =>
    fetchesOurNames(readFileSync(file, 'utf8')).map((command) => `${file}: ${command}`),
  );
  expect(found).toEqual([]);
});
