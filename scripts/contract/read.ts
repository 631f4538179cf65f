import { readFileSync } from 'node:fs';
import { at, type Contract, type Schema } from './bundle.ts';
import { dereferenced } from './dereferenced.ts';

/** The bundled API document, with its $refs, and with the keywords of schemas that are not served. */
export const document = read('generated', 'openapi');
const { 'x-generated': _, ...marks } = read('generated', 'marks');
for (const [pointer, keywords] of Object.entries(marks)) Object.assign(at<Schema>(document, pointer), keywords);
export const contract = dereferenced(document);
export const webhookContract = dereferenced(read('generated', 'webhooks'));

/** The last released contract. */
export function releasedContract(): Contract {
  return dereferenced(read('released', 'openapi'));
}

function read(folder: string, name: string) {
  return JSON.parse(readFileSync(new URL(`../../${folder}/${name}.json`, import.meta.url), 'utf8'));
}
