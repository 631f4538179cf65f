import type { OperationId } from '../../generated/server.ts';
import { type Body, operationsOf } from '../../scripts/contract/bundle.ts';
import { type Field as ContractField, fieldsOf } from '../../scripts/contract/fields.ts';
import { contract } from '../../scripts/contract/read.ts';
import { valuesAt } from '../tools/coverage/values-at.ts';
import { sampleOf } from '../tools/values/sound.ts';
import type { RawCall } from './raw-call.ts';

/** A parameter of a query, a path or a header, or a field of a body at any depth. */
export interface Field extends ContractField {
  /** A value from the contract's examples, or one that the schema accepts. */
  readonly example: unknown;
}

const LOCATED = operationsOf(contract);

/** A call that the contract accepts, with all possible fields in its body, and a description of each field. */
export interface SoundCall {
  readonly fields: readonly Field[];
  readonly path: Readonly<Record<string, string>>;
  /** Only the required parameters, because some optional ones must be sent together. */
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined when the operation takes no body. */
  readonly body: unknown;
}

export function soundCallOf(operation: OperationId): SoundCall {
  const located = LOCATED.find(({ id }) => id === operation)!;
  const body = located.body ? sampleBody(located.body) : undefined;
  const exampleOf = ({ location, names, schema }: Omit<Field, 'example'>): unknown => {
    if (location === 'body') return valuesAt(body, names)[0];
    const { examples = {} } = located.parameters.find(({ name }) => name === names[0])!;
    // the earliest start, so that every end is later
    return schema['x-earliest'] ?? Object.values(examples)[0]?.value;
  };
  const fields = fieldsOf(located)
    .filter(({ names }) => names.length > 0 && !names.includes('*'))
    .map((field) => ({ ...field, example: exampleOf(field) }));
  const textsIn = (location: Field['location']) => {
    const own = fields.filter((field) => field.location === location && field.isRequired);
    return Object.fromEntries(own.map(({ names, example }) => [names[0]!, String(example)]));
  };
  return { fields, path: textsIn('path'), query: textsIn('query'), headers: textsIn('header'), body };
}

export function rawOf({ path, query, headers, body }: SoundCall): RawCall {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return { path, headers, query: new URLSearchParams(query).toString(), ...sent };
}

/** A copy of a body with one value changed. @param names the way to it; `*` is the only item of a list */
export function withField(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  if (name === '*') return [withField((body as unknown[])[0], rest, value)];
  const fields = body as Record<string, unknown>;
  return { ...fields, [name]: withField(fields[name], rest, value) };
}

/** The same call with another value of a field. Undefined leaves it out. */
export function withValue(call: SoundCall, { location, names }: ContractField, value: unknown): SoundCall {
  if (location === 'body') return { ...call, body: withField(call.body, names, value) };
  const texts = location === 'header' ? 'headers' : location;
  const { [names[0]!]: _, ...others } = call[texts];
  return { ...call, [texts]: value === undefined ? others : { ...others, [names[0]!]: String(value) } };
}

/** A body with every field except the client's credentials, which are sent by HTTP Basic. */
function sampleBody({ schema, examples }: Body): unknown {
  const { client_id: _, client_secret: __, ...properties } = schema.properties ?? {};
  const shown = Object.values(examples).map(({ value }) => value);
  return sampleOf({ ...schema, properties }, shown);
}
