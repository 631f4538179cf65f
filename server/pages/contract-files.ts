import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GENERATED_FOLDER } from '../files.ts';
import { withPublicUrl } from '../links.ts';
import type { Get } from './answer.ts';
import { answerFile, keepFile, keepFirst } from './kept-file.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Files from `generated/`, served at the path of their name. */
const CONTRACT_FILES: Readonly<Record<string, string>> = {
  'openapi.yaml': 'application/yaml; charset=utf-8',
  'openapi.json': JSON_TYPE,
  'openapi-3.0.json': JSON_TYPE,
  'webhooks.json': JSON_TYPE,
};

/** Serves the contract with this server's URL. Allows all origins. */
export function serveContract(get: Get, publicUrl: string): void {
  for (const [name, mediaType] of Object.entries(CONTRACT_FILES)) {
    const headers = {
      'Content-Type': mediaType,
      'Cache-Control': 'no-cache',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    };
    const load = keepFirst(async () => {
      const text = await readFile(join(GENERATED_FOLDER, name), 'utf8');
      return keepFile(Buffer.from(withPublicUrl(text, publicUrl)), headers);
    });
    get(`/${name}`, async (req, res) => answerFile(req, res, await load()));
  }
}
