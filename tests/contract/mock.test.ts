import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Prism, startMock } from '../support/prism.ts';
import { exampleRequest, type PromisedAnswer, promisedAnswers } from './support/contract.ts';

let mock: Prism;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

test.each(promisedAnswers())('the mock plays $operationId $status $example', async (promised) => {
  const response = await ask(promised);
  expect(response.status).toBe(promised.status);
  const text = await response.text();
  const isJson = promised.mediaType === 'application/json';
  expect(isJson ? JSON.parse(text) : text).toEqual(promised.body ?? '');
});

function ask({ located, status, mediaType, example }: PromisedAnswer): Promise<Response> {
  const { path, init } = exampleRequest(located);
  const scheme = located.operation.security?.some((one) => 'clientBasic' in one) ? 'Basic' : 'Bearer';
  const headers = new Headers(init.headers);
  headers.set('authorization', `${scheme} ${btoa('any:any')}`);
  headers.set('prefer', example === null ? `code=${status}` : `code=${status}, example=${example}`);
  if (mediaType !== null) headers.set('accept', mediaType);
  return fetch(`${mock.baseUrl}${path}`, { ...init, headers, redirect: 'manual' });
}
