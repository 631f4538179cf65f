import { ServerResponse } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';

/** A header of every response, unless the response sets it. */
interface Standing {
  /** In lower case. */
  readonly name: string;
  /** The header's line in the response. */
  readonly line: string;
}

/** Node's internal method, missing from its types: writes the status line and the headers. */
interface HeadWriter {
  _storeHeader(this: ServerResponse, firstLine: string, headers: unknown): void;
}

/**
 * Adds a middleware's headers to the head of every response. The middleware runs once, and its headers become one text
 * after the status line: setting each header on each response costs as much as routing.
 * @param middleware sets the same headers for every request
 */
export function setInEveryHead(app: Express, middleware: RequestHandler): void {
  const standing = headersOf(middleware);
  const all = standing.map(({ line }) => line).join('');
  const { _storeHeader: store } = ServerResponse.prototype as unknown as HeadWriter;
  const storeHead: HeadWriter['_storeHeader'] = function (firstLine, headers) {
    const own = standing.some(({ name }) => this.hasHeader(name));
    store.call(this, firstLine + (own ? linesBeside(standing, this) : all), headers);
  };
  Object.assign(app.response, { _storeHeader: storeHead });
}

function headersOf(middleware: RequestHandler): readonly Standing[] {
  const found: Standing[] = [];
  const setHeader = (name: string, value: string) =>
    void found.push({ name: name.toLowerCase(), line: `${name}: ${value}\r\n` });
  const response = { setHeader, removeHeader: () => {} };
  void middleware({} as Request, response as unknown as Response, (error: unknown) => {
    if (error !== undefined) throw error;
  });
  return found;
}

/** The headers that a response has not set itself. */
function linesBeside(standing: readonly Standing[], response: ServerResponse): string {
  const others = standing.filter(({ name }) => !response.hasHeader(name));
  return others.map(({ line }) => line).join('');
}
