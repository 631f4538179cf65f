import type { Field } from '../../../scripts/contract/fields.ts';

/** The name of each kind of fact. The part before the colon is the kind. */
export const FACTS = {
  /** @param code the error code, if the response has one */
  response: (status: number, code?: string) => `response: ${status}${code === undefined ? '' : ` ${code}`}`,
  header: (status: number, name: string) => `header: ${status} ${name.toLowerCase()}`,
  mediaType: (status: number, mediaType: string) => `media type: ${status} ${mediaType}`,
  /** An accepted request body of this media type. */
  request: (mediaType: string) => `request: ${mediaType}`,
  parameter: (field: Field, says: string) => `parameter: ${fieldName(field)} ${says}`,
  /** A webhook about a ride in this status. */
  event: (rideStatus: string) => `event: ${rideStatus}`,
  /** A header of a webhook. */
  webhookHeader: (header: string) => `webhook header: ${header.toLowerCase()}`,
};

export type Kind = 'response' | 'header' | 'media type' | 'request' | 'parameter' | 'event' | 'webhook header';

export function kindOf(fact: string): Kind {
  return fact.slice(0, fact.indexOf(':')) as Kind;
}

function fieldName({ location, names }: Field): string {
  return [location, names.join('.')].filter((part) => part !== '').join(' ');
}
