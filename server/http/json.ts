import type { Express, Response } from 'express';
import { notesOf } from './notes.ts';

export const JSON_TYPE = 'application/json';
const TYPE_IN_UTF8 = `${JSON_TYPE}; charset=utf-8`;

/**
 * Makes `res.json` write the headers and the body together. Express's own version also checks for a JSON replacer, an
 * ETag and a conditional request, which this server does not use.
 * @param isDevelopment ends each response with a newline, so that the shell prompt after curl starts on a new line
 */
export function writeJson(app: Express, { isDevelopment }: { readonly isDevelopment: boolean }): void {
  const end = isDevelopment ? '\n' : '';
  app.response.json = function (this: Response, body: unknown): Response {
    const text = JSON.stringify(body) + end;
    notesOf(this.req).answer = text;
    this.setHeader('Content-Type', TYPE_IN_UTF8);
    // Node would omit the length for HEAD
    this.setHeader('Content-Length', Buffer.byteLength(text));
    this.end(text);
    return this;
  };
}
