import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { basic } from '../support/demo-caller.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { testServer } from '../support/started.ts';
import { type PostmanRequest, requestsIn, requestsOf, send } from './support/collection.ts';
import { follow, run } from './support/workshop.ts';

const server = testServer('sqlite', { withPages: true });
let folder = '';
beforeAll(async () => {
  folder = await follow('openapi-to-postmanv2', server, 'openapi.json');
});

describe('openapi-to-postmanv2', () => {
  test('makes a request for every operation', () => {
    for (const file of ['examples.json', 'placeholders.json']) {
      expect(requestsIn(join(folder, file)).map(operationOf).sort()).toEqual([...OPERATION_IDS].sort());
    }
  });

  test('makes example values that the server accepts in every request', async () => {
    const answers = await answersTo(requestsIn(join(folder, 'examples.json')));
    expect(answers.filter((answer) => !isTaken(answer))).toEqual([]);
  });

  test('makes requests that the server refuses only for placeholders such as <string>', async () => {
    const requests = requestsIn(join(folder, 'placeholders.json'));
    // a made-up time fits its pattern, but is not on a day that exists
    const hasPlaceholder = ({ header: _, ...request }: PostmanRequest) =>
      /"<[^>]+>"|"(start_time|now)"/.test(JSON.stringify(request).replaceAll('\\', ''));
    const complete = requests.filter((request) => !hasPlaceholder(request));
    expect(complete.length).toBeGreaterThan(10);
    expect((await answersTo(complete)).filter((answer) => !isTaken(answer))).toEqual([]);
    const incomplete = await answersTo(requests.filter(hasPlaceholder));
    expect(JSON.stringify(incomplete)).not.toContain('Svc-Sandbox-Scenario');
  });
});

test('newman runs every request of the collection, and the server accepts it', async () => {
  const place = await follow('newman', server, 'openapi.json');
  const file = join(place, 'collection.json');
  const collection = JSON.parse(readFileSync(file, 'utf8'));
  for (const request of requestsOf(collection)) {
    request.auth = { type: 'noauth' };
    const value = await authorizationFor(operationOf(request));
    request.header = [...(request.header ?? []), { key: 'Authorization', value }];
  }
  writeFileSync(file, JSON.stringify(collection));
  await run('newman run collection.json --ignore-redirects --reporters json --reporter-json-export report.json', place);
  const report = JSON.parse(readFileSync(join(place, 'report.json'), 'utf8'));
  const answers = (report.run.executions as Execution[]).map(({ item: { request }, response }): Answer => {
    const text = Buffer.from(response.stream).toString();
    return { operation: operationOf(request), ...answered(response.code, text) };
  });
  expect(answers.map(({ operation }) => operation).sort()).toEqual([...OPERATION_IDS].sort());
  expect(answers.filter((answer) => !isTaken(answer))).toEqual([]);
});

interface Execution {
  /** As in the collection, with the names of its parameters. */
  readonly item: { readonly request: PostmanRequest };
  readonly response: { readonly code: number; readonly stream: Buffer };
}

interface Answer {
  readonly operation: OperationId;
  readonly status: number;
  readonly code: string;
  readonly faults: unknown;
}

/** The collection names rides and events that do not exist here. */
function isTaken({ status, code, faults }: Answer): boolean {
  const hasForeignCursor = JSON.stringify(faults).startsWith('[{"cursor":"is not from this list');
  return status < 400 || hasForeignCursor || ['ride_not_found', 'event_not_found'].includes(code);
}

async function answersTo(requests: readonly PostmanRequest[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const request of requests) {
    const operation = operationOf(request);
    const response = await send(server.baseUrl, request, await authorizationFor(operation));
    answers.push({ operation, ...answered(response.status, await response.text()) });
  }
  return answers;
}

function answered(status: number, text: string): Omit<Answer, 'operation'> {
  const { error: code = '', error_detail: faults = [] } = text.startsWith('{') ? JSON.parse(text) : {};
  return { status, code, faults };
}

function operationOf({ method, url }: PostmanRequest): OperationId {
  const path = `/${url.path.join('/')}`.replace(/:(\w+)/g, '{$1}');
  const isIt = (id: OperationId) => OPERATIONS[id].path === path && OPERATIONS[id].method === method.toLowerCase();
  return OPERATION_IDS.find(isIt)!;
}

/** The credentials that a user enters, here for a new sandbox. */
async function authorizationFor(operation: OperationId): Promise<string> {
  const { takes } = OPERATION_FACTS[operation].access;
  if (takes.length === 0) return basic(DEMO.clientId, DEMO.sandboxClientSecret).Authorization;
  const world = await server.newWorld();
  const passenger = takes.includes('passenger') ? await server.newPassenger(world) : undefined;
  return `Bearer ${await server.newToken({ world, passenger })}`;
}
