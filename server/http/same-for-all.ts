import type { Request, RequestHandler, Response } from 'express';

/** Runs a middleware that sets the same headers for every request only once, and sets its headers for each. */
export function sameForAll(middleware: RequestHandler): RequestHandler {
  const headers: [name: string, value: string][] = [];
  const setHeader = (name: string, value: string) => void headers.push([name, value]);
  const response = { setHeader, removeHeader: () => {} };
  void middleware({} as Request, response as unknown as Response, (error: unknown) => {
    if (error !== undefined) throw error;
  });
  return function setHeaders(_req, res, next) {
    for (const [name, value] of headers) res.setHeader(name, value);
    next();
  };
}
