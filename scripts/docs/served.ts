import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';
import { DOCS_FOLDER } from '../../server/files.ts';
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
  const { name: script, files } = await compressed(`${program}\n${start(options)}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const [ending, bytes] of Object.entries(files)) await writeFile(join(folder, script + ending), bytes);
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

/** The script, uncompressed and compressed, by ending of its name, which has a hash of its content. */
async function compressed(text: string) {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH);
  const name = `redoc-${hash}.js`;
  const content = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([
    keptFor(content, `${name}.br`).catch(() => promisify(brotliCompress)(content, { params })),
    promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { name, files: { '': content, '.br': br, '.gz': gz } };
}

/** The compressed script of the last build, because Brotli takes seconds. Rejects if it has another content. */
async function keptFor(content: Buffer, name: string): Promise<Buffer> {
  const kept = await readFile(join(DOCS_FOLDER, SERVED.folder, name));
  if (!content.equals(await promisify(brotliDecompress)(kept))) throw new Error(`${name} is damaged.`);
  return kept;
}
