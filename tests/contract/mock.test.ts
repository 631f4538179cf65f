import { expect, test } from 'vitest';
import type { OperationId } from '../../generated/server.ts';
import { startMock } from '../support/prism.ts';
import { rawCall } from '../support/raw-call.ts';
import { soundCallOf } from '../support/sound-calls.ts';
import { forAll } from '../support/started.ts';
import { type PromisedAnswer, promisedAnswers } from './support/promised-answers.ts';

const mock = forAll(startMock);

test.each(promisedAnswers())('the mock plays $operationId $status $example', async (promised) => {
  const response = await ask(promised);
  expect(response.status).toBe(promised.status);
  const text = await response.text();
  const isJson = promised.mediaType === 'application/json';
  expect(isJson ? JSON.parse(text) : text).toEqual(promised.body ?? '');
});

function ask({ operationId, located, status, mediaType, example }: PromisedAnswer): Promise<Response> {
  const { path, query, body } = soundCallOf(operationId as OperationId);
  const scheme = located.operation.security?.some((one) => 'clientBasic' in one) ? 'Basic' : 'Bearer';
  const headers = {
    Authorization: `${scheme} ${btoa('any:any')}`,
    Prefer: example === null ? `code=${status}` : `code=${status}, example=${example}`,
    ...(mediaType !== null && { Accept: mediaType }),
  };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const call = { path, query: new URLSearchParams(query).toString(), headers, ...sent };
  return rawCall(mock.baseUrl, operationId as OperationId, call);
}
