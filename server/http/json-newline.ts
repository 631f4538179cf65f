import type { Express, Response } from 'express';

/** Ends each JSON response with a newline, so that the prompt of a shell is on its own line after curl. */
export function endJsonWithNewline(app: Express): void {
  const sendLine = function (this: Response, body: unknown): Response {
    if (!this.get('Content-Type')) this.set('Content-Type', 'application/json');
    return this.send(`${JSON.stringify(body)}\n`);
  };
  app.response.json = sendLine;
}
