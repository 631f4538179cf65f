import { existsSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { GENERATED_FOLDER } from '../files.ts';
import { answerNotFound } from './answer.ts';
import { html } from './html.ts';

// the page has inline scripts and styles, and searches in a worker that it makes from a blob
const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The documentation, or a page that says how to build it. @param folder that `npm run docs` writes to */
export function docsPage(folder: string): RequestHandler {
  return (_req, res) => {
    if (!existsSync(`${folder}/index.html`)) {
      const body = html`<pre tabindex="0" aria-label="Command"><code>npm run docs</code></pre>
        <p>Then load this page again: the server need not be restarted. The contract is at <a href="/openapi.yaml">openapi.yaml</a>.</p>`;
      return answerNotFound(res, html`The documentation is not built yet. This makes it:`, body);
    }
    res.set('Content-Security-Policy', DOCS_POLICY);
    res.sendFile('index.html', { root: folder, cacheControl: false, headers: { 'Cache-Control': 'no-cache' } });
  };
}

export function generatedFile(name: string, mediaType: string): RequestHandler {
  return (_req, res) => {
    res.sendFile(name, { root: GENERATED_FOLDER, headers: { 'Content-Type': mediaType, 'Cache-Control': 'no-cache' } });
  };
}
