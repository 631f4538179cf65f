import type { Body } from '../../../generated/server.ts';
import { Refusal } from '../../domain/refusal.ts';

/** A parameter that a grant needs. Throws Refusal `invalid_request` if it is absent. */
export function required(request: Body<'createToken'>, name: 'code' | 'refresh_token'): string {
  const value = request[name];
  if (value !== undefined) return value;
  throw new Refusal('invalid_request', `The parameter ${name} is required.`, { [name]: 'is required' });
}
