import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { DateTime } from 'luxon';
import type { OperationId } from '../../generated/server.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Parts } from '../parts.ts';
import { callOf } from './call.ts';
import { document, instantParameters } from './contract.ts';
import { refuseUnstorable } from './unstorable.ts';

/**
 * The contract as middleware for an operation: a request that breaks it is refused, an answer that breaks it fails or is logged.
 * Resolves when the contract has been compiled, and throws if it cannot be: better at the start than at the first request.
 */
export async function contractGuard(parts: Parts): Promise<(operation: OperationId) => RequestHandler[]> {
  const validate = OpenApiValidator.middleware({
    apiSpec: document,
    validateRequests: { allowUnknownQueryParameters: false },
    validateResponses: parts.contractBreach === 'fail' ? true : { onError: logBreach(parts) },
    // authenticate.ts answers as the contract says; this knows one kind of 401 only
    validateSecurity: false,
    fileUploader: false,
  });
  return (operation) => [
    readPlus(operation),
    ...validate,
    refuseBadNumbers,
    refuseBadInstants(operation),
    refuseUnstorable,
  ];
}

function logBreach({ logger }: Parts) {
  return (error: Error, _body: unknown, req: Parameters<typeof callOf>[0]) =>
    logger.error({ operation: callOf(req)?.operation, problem: error.message }, 'an answer breaks the contract');
}

/** An offset's + that was not encoded arrives as a blank, and no instant has a blank. */
function readPlus(operation: OperationId): RequestHandler {
  const names = instantParameters(operation).map(({ name }) => name);
  const unencoded = new RegExp(`([?&](?:${names.join('|')})=[^&]*?)(?:\\+|%20)(?=[^&]*)`, 'g');
  return (req, _res, next) => {
    if (names.length > 0) req.url = req.url.replace(unencoded, '$1%2B');
    if (names.length > 0) req.originalUrl = req.originalUrl.replace(unencoded, '$1%2B');
    next();
  };
}

/** A decimal number as people and programs write it. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The validator's coercion takes hexadecimal for a number, and lets numbers beyond the doubles pass its own limits. */
const refuseBadNumbers: RequestHandler = (req, _res, next) => {
  const sent = new URL(req.originalUrl, 'http://localhost').searchParams;
  for (const [name, value] of Object.entries(req.query)) {
    // what is not sent is a default of the contract
    const text = sent.get(name);
    if (typeof value !== 'number' || text === null) continue;
    if (Number.isFinite(value) && DECIMAL.test(text)) continue;
    throw new Refusal('bad_parameter', `The parameter ${name} is not a number.`, { [name]: 'must be a number' });
  }
  next();
};

/** Instants that the validator's pattern lets through: a 30th of February, a leap second, and those before the contract's first. */
function refuseBadInstants(operation: OperationId): RequestHandler {
  const parameters = instantParameters(operation);
  return (req, _res, next) => {
    for (const { name, earliest } of parameters) {
      const value = req.query[name];
      if (value === undefined) continue;
      const instant = DateTime.fromISO(String(value).toUpperCase());
      if (!instant.isValid) throw badInstant(name, 'must be an instant of the calendar');
      if (earliest !== null && instant.toMillis() < earliest) {
        throw badInstant(name, `must be >= ${new Date(earliest).toISOString()}`);
      }
    }
    next();
  };
}

function badInstant(name: string, problem: string): Refusal {
  return new Refusal('bad_parameter', `The parameter ${name} ${problem}.`, { [name]: problem });
}
