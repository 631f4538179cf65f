import type { ValidateFunction } from 'ajv/dist/2020.js';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { Response, Schema } from '../../../scripts/contract/bundle.ts';
import { isLoopback } from '../../../server/domain/loopback.ts';
import { ajv, validatorAt } from '../../contract/support/validator.ts';
import { parsed } from '../../support/parsed.ts';
import { OF_CORS, OF_HELMET } from '../coverage/beyond.ts';
import { codeIn } from '../exchange.ts';
import { FACTS } from './attack.ts';
import type { Answer, Sent } from './send.ts';

/** Headers that the contract does not have to declare. */
const UNDECLARED_HEADERS = [
  ...['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'vary', ...OF_HELMET],
];
/** Declared headers that not every response has: those of deprecated fields and of a browser session. */
const SOMETIMES = new Set(['deprecation', 'link', 'set-cookie']);

const TEXT = { schema: { type: 'string' } };
/** The headers of the 404 for a path that no operation has. */
const OUTSIDE = { 'X-Request-Id': TEXT, 'Request-ID': TEXT };

const validators = new Map<string, ValidateFunction>();

/** Promises about every response of an operation that this response breaks. */
export function brokenPromises(operation: OperationId, request: Sent, received: Answer): string[] {
  const answer = isAllowedOrigin(request, received) ? withoutCors(received) : received;
  if (answer.status === 404 && codeOf(answer) === 'not_found') return headerProblems(OUTSIDE, answer, true);
  const declared = FACTS[operation].operation.responses[answer.status];
  if (declared === undefined) return [`undeclared status ${answer.status}`];
  const isExpired = answer.headers.error === 'token_expired';
  const { headers = {} } = declared;
  const content = (!isExpired && declared.content) || {};
  return [
    ...headerProblems(headers, answer, Object.keys(content).length > 0),
    ...bodyProblems(content, answer),
    ...codeProblems(operation, answer),
  ];
}

function isAllowedOrigin({ headers: { Origin: origin = '' } }: Sent, { headers }: Answer): boolean {
  const isLocal = URL.canParse(origin) && isLoopback(new URL(origin).hostname);
  return isLocal && headers['access-control-allow-origin'] === origin;
}

function withoutCors(answer: Answer): Answer {
  const others = Object.entries(answer.headers).filter(([name]) => !OF_CORS.includes(name));
  return { ...answer, headers: Object.fromEntries(others) };
}

function codeProblems(operation: OperationId, answer: Answer): string[] {
  if (answer.status < 400 || answer.headers['content-type']?.startsWith('text/html')) return [];
  const code = codeOf(answer);
  const declared: Readonly<Record<string, number>> = OPERATIONS[operation].failures;
  return code !== undefined && declared[code] === answer.status
    ? []
    : [`undeclared code ${code} with the status ${answer.status}`];
}

function headerProblems(
  declared: NonNullable<Response['headers']>,
  { status, headers }: Answer,
  hasBody: boolean,
): string[] {
  const names = Object.keys(declared).map((name) => name.toLowerCase());
  const known = new Set([...names, ...UNDECLARED_HEADERS, ...(hasBody ? ['content-type'] : [])]);
  const unknown = Object.keys(headers).filter((name) => !known.has(name));
  const problems = unknown.map((name) => `undeclared header ${name}`);
  for (const [name, { schema = {} }] of Object.entries(declared)) {
    const key = name.toLowerCase();
    const value = headers[key];
    const mayBeAway = SOMETIMES.has(key) || (status >= 500 && key.startsWith('x-ratelimit'));
    if (value === undefined) {
      if (!mayBeAway) problems.push(`missing header ${name}`);
    } else if (!ajv.validate(schema, schema.type === 'integer' ? Number(value) : value))
      problems.push(`invalid header ${name}: ${value}`);
  }
  return problems;
}

function bodyProblems(content: NonNullable<Response['content']>, { headers, text }: Answer): string[] {
  const types = Object.keys(content);
  if (types.length === 0) return text === '' ? [] : ['undeclared body'];
  const type = headers['content-type'] ?? '';
  const [media = ''] = type.split(';');
  if (!types.includes(media)) return [`undeclared media type ${type}`];
  if (type !== `${media}; charset=utf-8`) return [`media type without charset=utf-8: ${type}`];
  if (media !== 'application/json') return [];
  const body = parsed(text);
  if (body === undefined) return ['the body is not valid JSON'];
  const validate = validatorOf(content[media]!.schema!);
  return validate(body) ? [] : [`the body does not match its schema: ${ajv.errorsText(validate.errors)}`];
}

function validatorOf(schema: Schema): ValidateFunction {
  const key = JSON.stringify(schema);
  const found = validators.get(key) ?? (schema.$ref ? validatorAt(schema.$ref) : ajv.compile(schema));
  validators.set(key, found);
  return found;
}

/** The error code: in the body, or in the `error` header of a 401. */
export function codeOf({ text, headers }: Answer): string | undefined {
  return codeIn(text) ?? headers.error;
}
