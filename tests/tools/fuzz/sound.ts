import fc from 'fast-check';
import { OPERATIONS, type OperationId } from '../../../generated/server.ts';
import type { Parameter } from '../../../scripts/contract/bundle.ts';
import { contract } from '../../../scripts/contract/read.ts';
import { DEMO } from '../../../server/demo.ts';
import { soundCallOf } from '../../support/sound-calls.ts';
import { STAGES, type Stage } from '../../support/stages.ts';
import { places, rideTypes, valuesOf } from '../values/random.ts';
import { type Attack, type Draft, FACTS, type SentBody, type Who } from './attack.ts';

/** Placeholders that cast.ts replaces when the call is sent. */
export const CODE = '{a code}';
export const REFRESH_TOKEN = '{a refresh token}';

const CALLERS: Readonly<Record<string, readonly Who[]>> = {
  userToken: ['a passenger'],
  clientToken: ['an application'],
  clientBasic: ['the live secret', 'the sandbox secret'],
};

/** A call with every parameter and field, so that each can be changed. */
export function fullDrafts(operation: OperationId): fc.Arbitrary<Draft> {
  if (operation === 'authorizeApplication') return soundDrafts(operation);
  const { fields, body } = soundCallOf(operation);
  // the ride and the event are those of the room, and a cursor comes from the page before
  const others = fields.filter(
    ({ names: [name = ''], example }) => !/_id$|^cursor$/.test(name) && example !== undefined,
  );
  const textsIn = (place: Parameter['in']) =>
    others.filter(({ location }) => location === place).map(({ names, example }) => [names[0]!, `${example}`] as const);
  const sent = {
    ...{ operation, path: Object.fromEntries(textsIn('path')), query: textsIn('query'), headers: {} },
    ...(body !== undefined && { body: { type: 'application/json', value: body } }),
  };
  const caller = { who: fc.constantFrom(...callersOf(operation)), stage: stagesFor(operation) };
  return fc.record(caller).map((draft): Draft => ({ ...draft, ...sent }));
}

/** Calls that the contract's schemas accept. */
function soundDrafts(operation: OperationId): fc.Arbitrary<Draft> {
  const json = { Accept: 'application/json' };
  // authorizeApplication shows errors as a page by default, so the call asks for JSON
  const accepts = operation === 'authorizeApplication' ? [json] : [json, { Accept: '*/*' }, {}];
  return fc
    .record({
      who: fc.constantFrom(...callersOf(operation)),
      stage: stagesFor(operation),
      path: pathsOf(operation),
      query: queriesOf(operation),
      body: bodiesOf(operation),
      accept: fc.constantFrom<Record<string, string>>(...accepts),
      other: fc.constantFrom(...HARMLESS),
    })
    .map(({ body, accept, other, ...draft }): Draft => {
      return { operation, ...draft, headers: { ...accept, ...other }, ...(body && { body }) };
    });
}

const HARMLESS: ReadonlyArray<Record<string, string>> = [
  ...[{}, {}, {}, { 'If-None-Match': '*' }, { 'Accept-Language': 'tlh' }, { 'X-HTTP-Method-Override': 'DELETE' }],
];

export function soundAttacks(operation: OperationId): fc.Arbitrary<Attack> {
  return soundDrafts(operation).map((draft) => ({ draft, what: 'a valid request', expected: { kind: 'valid' } }));
}

function callersOf(operation: OperationId): Who[] {
  const { security } = OPERATIONS[operation];
  if (security.length === 0) return ['a browser'];
  return security.flatMap(({ scheme }) => CALLERS[scheme]!);
}

/** The stages in which an operation can do most of its work. */
function stagesFor(operation: OperationId): fc.Arbitrary<Stage> {
  const stages = fc.constantFrom(...STAGES);
  const usual: Partial<Record<OperationId, Stage[]>> = {
    requestRide: ['paid', 'droppedOff', 'canceled free'],
    rateRide: ['droppedOff'],
    getReceipt: ['paid', 'canceled for a fee'],
    cancelRide: ['pending', 'accepted'],
    updateDestination: ['pending', 'accepted', 'arrived', 'pickedUp'],
    setRideStatus: ['pending', 'accepted', 'arrived', 'pickedUp'],
  };
  const here = usual[operation];
  if (here) return fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...here) }, { weight: 1, arbitrary: stages });
  if (operation === 'deleteWorld' || operation === 'resetWorld') return fc.constant('pending');
  // operations without a ride in their path work with any ride
  return OPERATIONS[operation].path.includes('{ride_id}') ? stages : fc.constant('paid');
}

function pathsOf(operation: OperationId): fc.Arbitrary<Record<string, string>> {
  const named = FACTS[operation].parameters.filter(({ in: place, name }) => place === 'path' && !name.endsWith('_id'));
  const model = Object.fromEntries(named.map(({ name, schema }) => [name, rideTypeOr(name, schema)]));
  return fc.record(model) as fc.Arbitrary<Record<string, string>>;
}

function rideTypeOr(name: string, schema: Parameter['schema']): fc.Arbitrary<unknown> {
  return name === 'ride_type' ? rideTypes(contract.components!.schemas!.RideTypeKey!) : valuesOf(schema);
}

type Query = Draft['query'];

function queriesOf(operation: OperationId): fc.Arbitrary<Query> {
  if (operation === 'authorizeApplication') return authorizationQueries();
  const parameters = FACTS[operation].parameters.filter((parameter) => parameter.in === 'query');
  const pairs = parameters.flatMap(({ name }) => /^(.*)lat$/.exec(name)?.[1] ?? []);
  // no cursor: it comes from the page before, and any other text is refused
  const singles = parameters.filter(({ name }) => !/(lat|lng|^cursor)$/.test(name));
  const arbitraries = [
    ...pairs.map((prefix): fc.Arbitrary<Query> => {
      const both = places.map((place): Query => Object.entries(place).map(([end, at]) => [prefix + end, `${at}`]));
      if (parameters.some(({ name, required }) => required && name === `${prefix}lat`)) return both;
      const half = fc.tuple(both, fc.nat(1)).map(([pair, i]): Query => [pair[i]!]);
      return fc.oneof({ weight: 6, arbitrary: both }, { weight: 3, arbitrary: fc.constant([]) }, half);
    }),
    ...singles.map(({ name, schema, required }): fc.Arbitrary<Query> => {
      const one = rideTypeOr(name, schema).map((value): Query => [[name, String(value)]]);
      return required ? one : fc.oneof(one, fc.constant([]));
    }),
  ];
  return fc.tuple(...arbitraries).map((parts) => parts.flat());
}

/** Queries for an existing application. The response is a page or a redirect. */
function authorizationQueries(): fc.Arbitrary<Query> {
  const optional = fc.record(
    {
      scope: fc.constantFrom('public', 'public rides.read offline', '', 'public made.up'),
      state: valuesOf({ type: 'string' }) as fc.Arbitrary<string>,
      redirect_uri: fc.constantFrom('http://localhost:8080/demo/callback', 'https://elsewhere.example/'),
      code_challenge: valuesOf({ type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' }) as fc.Arbitrary<string>,
      code_challenge_method: fc.constant('S256'),
    },
    { requiredKeys: [] },
  );
  const demo = fc.constant<string>(DEMO.clientId);
  const clients = fc.oneof({ weight: 4, arbitrary: demo }, fc.constantFrom('nobody', '%', '💥'));
  const required = { response_type: 'code' };
  return fc.tuple(optional, clients).map(([more, client_id]) => Object.entries({ client_id, ...required, ...more }));
}

function bodiesOf(operation: OperationId): fc.Arbitrary<SentBody | undefined> {
  const { body } = FACTS[operation];
  if (!body) return fc.constant(undefined);
  const values = SPECIAL_BODIES[operation] ?? valuesOf(body.schema);
  const sent = fc.record({ type: fc.constantFrom(...body.mediaTypes), value: values });
  return body.required ? sent : fc.oneof({ weight: 5, arbitrary: sent }, fc.constant(undefined));
}

const orOthers = (operation: OperationId, ...bodies: readonly object[]) =>
  fc.oneof(...bodies.map((body) => fc.constant<unknown>(body)), valuesOf(FACTS[operation].body!.schema));

/** Bodies of OAuth operations. Their schemas accept any text, so random values would rarely succeed. */
const SPECIAL_BODIES: { readonly [Id in OperationId]?: fc.Arbitrary<unknown> } = {
  createToken: orOthers(
    'createToken',
    { grant_type: 'client_credentials', scope: 'public' },
    { grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN },
    { grant_type: 'authorization_code', code: CODE },
  ),
  revokeToken: orOthers('revokeToken', { token: REFRESH_TOKEN, token_type_hint: 'refresh_token' }),
  revokeRefreshToken: orOthers('revokeRefreshToken', { token: REFRESH_TOKEN }),
};
