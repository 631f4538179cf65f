import { expect, test } from 'vitest';
import { REQUESTS, type Schema, SECRETS_IN_ANSWERS } from '../../generated/requests.ts';
import { type Schema as Full, type LocatedOperation, operationsOf, partsOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';

const LIKE_A_SECRET = /token|secret|password|verifier|^code$|credential|api_?key/;
/** Fields whose names are like those of secrets, and why the log of requests may show them. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  token_type: 'a word',
  token_type_hint: 'a word',
  token_duration: 'seconds',
  cost_token: 'an offered price, for one passenger: useless without their access token',
  primetime_confirmation_token: 'likewise',
  cancel_confirmation_token: 'an offered fee, likewise',
};
/** The same for fields with an ambiguous name, by the field that contains them. */
const NO_SECRET_IN = /(cancellation_price|cancelRide (?:answer))\.token$/;

/** The paths of the fields in a schema that `isChosen`, such as `createWorld answer.token.access_token`. */
function fieldsOf(
  schema: Full | Schema,
  at: string,
  isChosen: (name: string, field: Full | Schema) => boolean,
): string[] {
  return partsOf(schema as Full).flatMap(({ properties = {}, items }) => [
    ...(items ? fieldsOf(items, at, isChosen) : []),
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(isChosen(name, field) ? [`${at}.${name}`] : []),
      ...fieldsOf(field, `${at}.${name}`, isChosen),
    ]),
  ]);
}

const contents = ({ operation, body, parameters }: LocatedOperation): [at: string, schema: Full][] => [
  [
    `${operation.operationId} query`,
    { properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])) },
  ],
  [`${operation.operationId} body`, body?.schema ?? {}],
  ...Object.values(operation.responses).flatMap(({ content = {} }) =>
    Object.values(content).map(({ schema = {} }): [string, Full] => [`${operation.operationId} answer`, schema]),
  ),
];
const OPERATIONS = operationsOf(contract);
const found = (isChosen: Parameters<typeof fieldsOf>[2]) =>
  [...new Set(OPERATIONS.flatMap(contents).flatMap(([at, schema]) => fieldsOf(schema, at, isChosen)))].sort();
const isSecret = (_: string, { format }: Full | Schema) => format === 'password';

test('each field of the contract with a secret or a token has the format password, and no other field', () => {
  const named = found(
    (name, { type }) => LIKE_A_SECRET.test(name) && !Object.hasOwn(NO_SECRETS, name) && !/object/.test(`${type}`),
  );
  expect(named.filter((path) => !NO_SECRET_IN.test(path))).toEqual(found(isSecret));
  expect(found(isSecret).length).toBeGreaterThan(10);
});

test('the server knows each of them', () => {
  const known = OPERATIONS.flatMap(({ id }) => {
    const operation = id as keyof typeof REQUESTS;
    const { body, query } = REQUESTS[operation];
    return [
      ...fieldsOf({ properties: query }, `${id} query`, isSecret),
      ...fieldsOf(body ?? {}, `${id} body`, isSecret),
      ...fieldsOf(SECRETS_IN_ANSWERS[operation] ?? {}, `${id} answer`, isSecret),
    ];
  });
  expect(known.sort()).toEqual(found(isSecret));
});
