import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { SERVED } from '../../server/pages/docs.ts';

/** The last script of a Redoc page: the program, the contract, the options, and the call that starts the program. */
const LAST_SCRIPT =
  /<script type="module">\s*(?<program>.*)\n\s*const __redoc_definition = (?<contract>.*?);\n\s*const __redoc_options = (?<options>.*?);\n\s*hydrate\(.*?<\/script>/s;
const HASH_LENGTH = 16;

/**
 * Splits the self-contained page for the server. Browsers can then cache the program, which is most of the page, and
 * the server can insert its own URL into the rest.
 */
export async function writeServedDocs(page: string, docsFolder: string): Promise<void> {
  const { program, contract, options } = page.match(LAST_SCRIPT)?.groups ?? {};
  if (!program || !contract || !options) throw new Error('The Redoc page does not have the expected parts.');
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

/** Reads the contract and hydrates the markup. */
function start(options: string): string {
  return `const response = await fetch(new URL('${SERVED.contract}', import.meta.url));
hydrate(await response.json(), ${options}, document.getElementById('redoc'));
`;
}

/** Makes the browser load the contract and the script in parallel. */
function headOf(script: string): string {
  return `<link rel="preload" href="/docs/${SERVED.contract}" as="fetch" crossorigin="anonymous">
  <script type="module" src="/docs/${script}"></script>
</head>`;
}

/** Writes the script, uncompressed and compressed. @returns its name, with a hash of its content */
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
