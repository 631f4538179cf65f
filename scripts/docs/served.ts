import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { SERVED } from '../../server/pages/docs.ts';

/** The last script of a page of Redoc: its program, the contract, its options, and the call that starts it. */
const LAST_SCRIPT =
  /<script type="module">\s*(?<program>.*)\n\s*const __redoc_definition = (?<contract>.*?);\n\s*const __redoc_options = (?<options>.*?);\n\s*hydrate\(.*?<\/script>/s;
const HASH_LENGTH = 16;

/**
 * Splits the self-contained page for the server, so that browsers keep the program, which is most of it, and the server
 * can put its own URL into the rest.
 */
export async function writeServedDocs(page: string, docsFolder: string): Promise<void> {
  const { program, contract, options } = page.match(LAST_SCRIPT)?.groups ?? {};
  if (!program || !contract || !options) throw new Error('The page of Redoc is not made of the parts that are known.');
  const folder = join(docsFolder, SERVED.folder);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const script = await writeScript(folder, `${program}\n${start(options)}`);
  await writeFile(join(folder, SERVED.contract), JSON.stringify(JSON.parse(contract)));
  await writeFile(
    join(folder, SERVED.page),
    page.replace(LAST_SCRIPT, '').replace('</head>', () => headOf(script)),
  );
}

/** Reads the contract, and makes the markup that is already there a live page. */
function start(options: string): string {
  return `const response = await fetch(new URL('${SERVED.contract}', import.meta.url));
hydrate(await response.json(), ${options}, document.getElementById('redoc'));
`;
}

/** The browser loads the contract while it loads the script. */
function headOf(script: string): string {
  return `<link rel="preload" href="/docs/${SERVED.contract}" as="fetch" crossorigin="anonymous">
  <script type="module" src="/docs/${script}"></script>
</head>`;
}

/** Writes the script as it is and compressed. @returns its name, with a hash of its content */
async function writeScript(folder: string, text: string): Promise<string> {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  const name = `redoc-${hash}.js`;
  const content = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  for (const [ending, bytes] of Object.entries({ '': content, '.br': br, '.gz': gz })) {
    await writeFile(join(folder, name + ending), bytes);
  }
  return name;
}
