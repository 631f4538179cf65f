import { keysOf } from '../contract/bundle.ts';
import type { Change } from './change.ts';

/** Describes a change: with the message of the rule that found it, otherwise with its place and kind. */
export function inWords(change: Change): string {
  if (change.verdicts.length > 0) return change.verdicts.map(({ message }) => message).join(' ');
  const place = placeInWords(change);
  const became = change.kind === 'modified' ? 'changed' : change.kind;
  const what = change.property ? `\`${change.property}\`${place && ` of ${place}`}` : place;
  return what ? `${what} ${became}` : became;
}

/** Describes the place within an operation, such as `response 200, field price`. */
function placeInWords(change: Change): string {
  const [room, , ...inside] = keysOf(change.path);
  const keys = room === 'paths' || room === 'webhooks' ? inside : keysOf(change.path);
  const words = keys.flatMap((key, at) => {
    const before = keys[at - 1];
    if (before === 'responses') return [`response ${key}`];
    if (before === 'properties') return [`field \`${key}\``];
    if (key === 'parameters' || before === 'parameters') return at === keys.length - 1 ? [parametersIn(change)] : [];
    if (before === 'tags') return [`tag \`${change.name}\``];
    if (before === 'examples') return [`example \`${key}\``];
    if (before === 'headers') return [`header \`${key}\``];
    if (key === 'requestBody') return ['request'];
    return key.startsWith('x-') || room === 'info' ? [`\`${key}\``] : [];
  });
  return words.join(', ');
}

/** Names one parameter, or all parameters of an operation: by component name, otherwise by their own names. */
function parametersIn({ base, revision, name: own }: Change): string {
  const { pointer, value } = revision ?? base ?? {};
  const component = (reference = '') => /^#\/components\/parameters\/([^/]+)/.exec(reference)?.[1];
  const values = [value ?? []].flat() as { name?: string; $ref?: string }[];
  const names = component(pointer) ?? own ?? values.map(({ name, $ref }) => name ?? component($ref));
  return [names]
    .flat()
    .map((name) => `parameter \`${name}\``)
    .join(', ');
}
