import { type NameOf, namesBy } from '../../server/limits/redis/names.ts';

/** How the keys of a test are named. */
export interface NamedBy {
  readonly prefix: string;
  readonly secret: Buffer;
}

export function namesOf({ prefix, secret }: NamedBy): NameOf {
  return namesBy({ signing: () => ({ number: 1, derived: () => secret }) }, prefix);
}
