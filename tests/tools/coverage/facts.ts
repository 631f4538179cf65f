import type { Field } from '../../../scripts/contract/fields.ts';

/** How each kind of thing is written that can be seen of the contract. What stands before the colon is its kind. */
export const FACTS = {
  /** @param code of the failure; left out where the answer has none */
  answer: (status: number, code?: string) => `answer: ${status}${code === undefined ? '' : ` ${code}`}`,
  header: (status: number, name: string) => `header: ${status} ${name.toLowerCase()}`,
  mediaType: (status: number, mediaType: string) => `media type: ${status} ${mediaType}`,
  /** A body that was accepted in this media type. */
  request: (mediaType: string) => `request: ${mediaType}`,
  parameter: (field: Field, says: string) => `parameter: ${fieldName(field)} ${says}`,
  /** A ride that a webhook told of. */
  event: (rideStatus: string) => `event: ${rideStatus}`,
  /** What a webhook came with. */
  sent: (header: string) => `sent: ${header.toLowerCase()}`,
};

export type Kind = 'answer' | 'header' | 'media type' | 'request' | 'parameter' | 'event' | 'sent';

export function kindOf(fact: string): Kind {
  return fact.slice(0, fact.indexOf(':')) as Kind;
}

function fieldName({ location, names }: Field): string {
  return [location, names.join('.')].filter((part) => part !== '').join(' ');
}
