import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { OPERATIONS, type OperationId } from '../../generated/server.ts';
import { DEMO } from '../../server/demo.ts';
import { basic } from '../support/demo-caller.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import { OPERATION_IDS } from '../support/operations.ts';
import { testServer } from '../support/started.ts';
import { type PostmanRequest, requestsIn, send } from './support/collection.ts';
import { follow } from './support/workshop.ts';

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
    const hasPlaceholder = ({ header: _, ...request }: PostmanRequest) =>
      /"<[^>]+>"/.test(JSON.stringify(request).replaceAll('\\', ''));
    const complete = requests.filter((request) => !hasPlaceholder(request));
    expect(complete.length).toBeGreaterThan(10);
    expect((await answersTo(complete)).filter((answer) => !isTaken(answer))).toEqual([]);
    const incomplete = await answersTo(requests.filter(hasPlaceholder));
    expect(JSON.stringify(incomplete)).not.toContain('Svc-Sandbox-Scenario');
  });
});

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
    const text = await response.text();
    const { error: code = '', error_detail: faults = [] } = text.startsWith('{') ? JSON.parse(text) : {};
    answers.push({ operation, status: response.status, code, faults });
  }
  return answers;
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
