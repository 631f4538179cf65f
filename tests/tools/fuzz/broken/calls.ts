import fc from 'fast-check';
import { NO_SCENARIO, OPERATIONS, type OperationId, SCENARIO } from '../../../../generated/server.ts';
import type { Draft, Expected, Who } from '../attack.ts';
import { methodsBeside } from '../contract.ts';
import { malformed, refused, type Way, waysOf } from './way.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'BREW'];
/** These are not requested by name here. The handler creates them, because their token must be valid. */
const CONFIRMATIONS = ['primetime_confirmation_required', 'cancel_confirmation_required'];

export function wrongMethods(operation: OperationId): Way[] {
  const others = fc.constantFrom(...METHODS.filter((method) => !methodsBeside(operation).includes(method)));
  const change = ({ body: _, ...draft }: Draft, method: string): Draft => ({ ...draft, method });
  return [waysOf(operation)('an undeclared method', others, change, refused(405, 'method_not_allowed'))];
}

export function wrongPaths(operation: OperationId): Way[] {
  const further = ['/', '//', '/more/than/that'];
  // after a path parameter these would be part of its value
  const longer = OPERATIONS[operation].path.endsWith('}') ? [] : ['%00', '%2F', ';a=b', 'x'];
  const change = (draft: Draft, pathSuffix: string): Draft => ({ ...draft, pathSuffix });
  const suffixes = fc.constantFrom(...further, ...longer);
  return [waysOf(operation)('an unknown path', suffixes, change, refused(404, 'not_found'), 1)];
}

/** Every caller who must not call the operation, or not for this ride. */
export function wrongCallers(operation: OperationId): Way[] {
  const callers = callersRefusedBy(operation);
  if (callers.length === 0) return [];
  for (const [, code] of callers) {
    if (!(code in OPERATIONS[operation].failures)) throw new Error(`${operation} does not declare the code ${code}.`);
  }
  const change = (draft: Draft, [who]: Refused) => ({ ...draft, who });
  const expected = ([, code, status]: Refused) => refused(status, code);
  return [waysOf(operation)('an unauthorized caller', fc.constantFrom(...callers), change, expected, 8)];
}

type Refused = readonly [who: Who, code: string, status: number];

function callersRefusedBy(operation: OperationId): Refused[] {
  const { security, tag, path } = OPERATIONS[operation];
  const schemes = security.map(({ scheme }) => scheme as string);
  const by = (code: string, status: number, ...callers: Who[]) => callers.map((who): Refused => [who, code, status]);
  const anyone: readonly Who[] = ['no credentials', 'another scheme'];
  if (schemes.length === 0) return [];
  if (schemes.includes('clientBasic')) {
    const others: readonly Who[] = ['a wrong secret', 'an unknown client', 'malformed credentials', 'an expired token'];
    return by('invalid_client', 401, ...anyone, ...others);
  }
  const others: readonly Who[] = ['a made-up token', 'two tokens', 'the live secret', 'a token of a deleted world'];
  const stranger: Who = 'a passenger of another world';
  return [
    ...by('invalid_token', 401, ...anyone, ...others),
    ...by('token_expired', 401, 'an expired token'),
    ...by('insufficient_scope', 401, 'a token without the scope'),
    ...(schemes.includes('clientToken')
      ? []
      : by('insufficient_scope', 401, 'an application token instead of a passenger token')),
    ...(schemes.includes('userToken')
      ? []
      : by('insufficient_scope', 401, 'a passenger token instead of an application token')),
    ...(tag === 'Sandbox' ? by('sandbox_only', 403, 'a live token') : []),
    ...(path.includes('{ride_id}') ? by('ride_does_not_belong_to_user', 403, 'another passenger') : []),
    ...(path.includes('{ride_id}') ? by('ride_not_found', 404, stranger) : []),
    ...(path.includes('{event_id}') ? by('event_not_found', 404, stranger) : []),
  ];
}

/** Calls that request a failure from a sandbox by name. */
export function scenarios(operation: OperationId): Way[] {
  const way = waysOf(operation);
  const { failures } = OPERATIONS[operation];
  const codes = Object.entries<number>(failures).filter(([code]) => !CONFIRMATIONS.includes(code));
  const asked = (draft: Draft, name: string): Draft => ({
    ...draft,
    who: draft.who === 'the live secret' ? 'the sandbox secret' : draft.who,
    headers: { ...draft.headers, [SCENARIO]: name },
  });
  const strange = fc.stringMatching(/^[!-~]{1,100}$/).filter((name) => !(name in failures) && name !== NO_SCENARIO);
  if (operation === 'authorizeApplication') return [way('a sandbox scenario', strange, asked, { kind: 'declared' }, 1)];
  const expected = ([code, status]: [string, number]): Expected => ({ kind: 'refused', status, code });
  return [
    way('a sandbox scenario', fc.constantFrom(...codes), (draft, [code]) => asked(draft, code), expected),
    way('an unknown sandbox scenario', strange, asked, malformed(operation, SCENARIO), 1),
  ];
}
