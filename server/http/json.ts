import type { Express, Response } from 'express';

export const JSON_TYPE = 'application/json';
const TYPE_IN_UTF8 = `${JSON_TYPE}; charset=utf-8`;

/**
 * Makes `res.json` write the headers and the body at once. Express's own also looks for a JSON replacer, an ETag and a
 * condition of the client, and this server has none of them.
 * @param isDevelopment whether each response ends with a newline, so that the prompt of a shell is on its own line after curl
 */
export function writeJson(app: Express, { isDevelopment }: { readonly isDevelopment: boolean }): void {
  const end = isDevelopment ? '\n' : '';
  const write = function (this: Response, body: unknown): Response {
    const text = JSON.stringify(body) + end;
    this.setHeader('Content-Type', TYPE_IN_UTF8);
    // for HEAD, node would leave the length out
    this.setHeader('Content-Length', Buffer.byteLength(text));
    this.end(text);
    return this;
  };
  app.response.json = write;
}
