import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { OpenAPI3 } from 'openapi-typescript';
import { parse, stringify } from 'yaml';
import type { Contract } from '../contract/bundle.ts';
import { dereferenced } from '../contract/dereferenced.ts';
import { withAbsoluteLinks } from './bundle/links.ts';
import { withOwnLimits } from './bundle/own-limits.ts';
import { inPlainWords } from './bundle/plain.ts';
import { withScalarExamples } from './bundle/scalar-examples.ts';
import { withoutMarks, withoutUnused } from './bundle/served.ts';
import { clientModule } from './client.ts';
import { withDocumentationUrls } from './error-catalogue.ts';
import { failureBodiesModule } from './failure-bodies.ts';
import { inOpenApi30 } from './openapi-3.0.ts';
import { requestsModule } from './requests.ts';
import { withSamples } from './samples.ts';
import { serverModule } from './server.ts';
import { typesModule } from './types.ts';
import { webhooksModule } from './webhooks.ts';

const NOTICE = 'Generated from openapi.yaml and webhooks.yaml. Do not edit: change those and run `npm run generate`.';
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Generates the files of generated/ from the two documents in `folder`: name to text. The result is deterministic. */
export async function generateFiles(folder: string): Promise<Map<string, string>> {
  const plain = withOwnLimits(inPlainWords(bundled(folder, 'openapi.yaml')));
  const { url } = plain.servers![0]!;
  const document = withAbsoluteLinks(withSamples(withDocumentationUrls(plain, url)), url);
  const contract = dereferenced(document);
  const webhooks = withAbsoluteLinks(inPlainWords(bundled(folder, 'webhooks.yaml')), url);
  const { document: served, marks } = withoutMarks(withScalarExamples(withoutUnused(document)));
  const { document: servedWebhooks } = withoutMarks(withScalarExamples(withoutUnused(webhooks)));
  const in30 = inOpenApi30(served);
  return new Map([
    ['openapi.yaml', yaml(served)],
    ['openapi.json', json(served)],
    ['openapi-3.0.yaml', yaml(in30)],
    ['openapi-3.0.json', json(in30)],
    ['webhooks.yaml', yaml(servedWebhooks)],
    ['webhooks.json', json(servedWebhooks)],
    ['marks.json', json(marks)],
    ['types.ts', typescript(await typesModule(document as unknown as OpenAPI3))],
    ['server.ts', typescript(serverModule(contract))],
    ['requests.ts', typescript(requestsModule(contract))],
    ['failure-bodies.ts', typescript(failureBodiesModule(contract))],
    ['client.ts', typescript(clientModule(contract))],
    ['webhooks.ts', typescript(webhooksModule(dereferenced(webhooks)))],
  ]);
}

function yaml(document: object): string {
  return `# ${NOTICE}\n${stringify(document, { lineWidth: 0, singleQuote: true, aliasDuplicateObjects: false })}`;
}

function json(document: object): string {
  return `${JSON.stringify({ 'x-generated': NOTICE, ...document }, null, 2)}\n`;
}

function bundled(folder: string, document: string): Contract {
  const out = mkdtempSync(join(tmpdir(), 'bundle-'));
  try {
    const file = join(out, 'bundle.yaml');
    run('redocly', ['bundle', resolve(folder, document), '--output', file]);
    return parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(out, { recursive: true });
  }
}

function typescript(text: string): string {
  // the file name only selects the language
  return run('biome', ['format', '--stdin-file-path=formatted.ts'], `// ${NOTICE}\n${text}`);
}

function run(command: string, parameters: string[], input?: string): string {
  const executable = resolve('node_modules/.bin', command);
  return execFileSync(executable, parameters, { encoding: 'utf8', env: QUIET, input, stdio: ['pipe', 'pipe', 'pipe'] });
}
