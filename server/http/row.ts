import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Middleware that runs as one, with its parts beside it for those who look through the routes of an app. */
export type Row = RequestHandler & {
  readonly stack: readonly { readonly handle: RequestHandler; readonly slash: true }[];
};

/** Runs middleware one after the other, as a router of Express does, but without a look at the path before each. */
export function inRow(...handlers: readonly RequestHandler[]): Row {
  const run = handlers.reduceRight<RequestHandler>(
    (rest, handler) => (req, res, done) => {
      const next = (error?: unknown) => (error ? done(error) : rest(req, res, done));
      try {
        const result: unknown = handler(req, res, next);
        if (result instanceof Promise) result.catch(done);
      } catch (error) {
        done(error);
      }
    },
    (_req, _res, done) => done(),
  );
  return Object.assign(run, { stack: handlers.map((handle) => ({ handle, slash: true as const })) });
}

/** The same for handlers of errors. */
export function failuresInRow(...handlers: readonly ErrorRequestHandler[]): ErrorRequestHandler {
  return handlers.reduceRight<ErrorRequestHandler>(
    (rest, handler) => (thrown, req, res, done) => {
      const next = (error?: unknown) => rest(error, req, res, done);
      try {
        const result: unknown = handler(thrown, req, res, next);
        if (result instanceof Promise) result.catch(next);
      } catch (error) {
        next(error);
      }
    },
    // four parameters mark an Express error handler
    (thrown, _req, _res, done) => done(thrown),
  );
}
