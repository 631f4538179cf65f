import fc from 'fast-check';
import { OPERATIONS, type OperationId } from '../../../../generated/server.ts';
import type { Parameter } from '../../../../scripts/contract/bundle.ts';
import { texts } from '../../values/random.ts';
import type { Draft, Expected } from '../attack.ts';
import { FACTS, malformedCode } from '../contract.ts';
import { malformed, NOTHING, STRANGER, unlistedWrongs, type Way, waysOf } from './way.ts';

const without = (draft: Draft, name: string): Draft => ({
  ...draft,
  query: draft.query.filter(([other]) => other !== name),
});
const adding = (draft: Draft, name: string, value: string): Draft => ({
  ...draft,
  query: [...draft.query, [name, value]],
});

/** Most errors of these calls come back in a redirect. */
export function wrongAuthorizations(): Way[] {
  const way = waysOf('authorizeApplication');
  const names = fc.constantFrom(...FACTS.authorizeApplication.parameters.map(({ name }) => name));
  const open: Expected = { kind: 'declared' };
  const replaced = (draft: Draft, [name, value]: [string, string]) => adding(without(draft, name), name, value);
  const garbled = (draft: Draft, name: string) => ({ ...without(draft, name), rawQuery: `${name}=%ff%fe` });
  return [
    way('a missing parameter', names, without, open),
    way('a duplicate parameter', names, (draft, name) => adding(draft, name, 'x'), open),
    way('a parameter with a random value', fc.tuple(names, texts()), replaced, open),
    way('invalid UTF-8', names, garbled, open),
  ];
}

export function wrongParameters(operation: OperationId): Way[] {
  const ways = FACTS[operation].parameters.flatMap((parameter) => waysToSpoil(operation, parameter));
  const isOpen = OPERATIONS[operation].requestMediaTypes.length > 0 && malformedCode(operation) === 'invalid_request';
  if (isOpen) return ways;
  const strange = (draft: Draft) => adding(draft, STRANGER, '1');
  return [...ways, waysOf(operation)('an unknown parameter', NOTHING, strange, malformed(operation, STRANGER))];
}

function waysToSpoil(operation: OperationId, { name, in: place, schema }: Parameter): Way[] {
  const way = waysOf(operation);
  const expected = malformed(operation, name);
  const changed = (draft: Draft, value: unknown): Draft =>
    place === 'path'
      ? { ...draft, path: { ...draft.path, [name]: String(value) } }
      : adding(without(draft, name), name, String(value));
  const wrong = unlistedWrongs({ location: place, schema }).map(({ what, more }) =>
    way(`${name}: ${what}`, more, changed, expected),
  );
  if (place === 'path') return wrong;
  const garbled = (draft: Draft, raw: string) => ({ ...without(draft, name), rawQuery: `${name}=${raw}` });
  return [
    ...wrong,
    way(`duplicate ${name}`, NOTHING, (draft) => adding(draft, name, '1'), expected),
    way(`${name}: invalid UTF-8`, fc.constantFrom('%ff', '%', '%c3%28'), garbled, expected),
  ];
}
