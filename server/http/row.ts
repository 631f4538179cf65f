import type { ErrorRequestHandler, RequestHandler } from 'express';

/** Middleware that runs as one handler. Its parts stay visible to code that inspects an app's routes. */
export type Row = RequestHandler & {
  readonly stack: readonly { readonly handle: RequestHandler; readonly slash: true }[];
};

/** Runs middleware in sequence, like an Express router, but without matching the path before each. */
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

/** The same for error handlers. */
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
