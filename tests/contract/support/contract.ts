import { readFileSync } from 'node:fs';
import {
  type Contract,
  type Example,
  type LocatedOperation,
  type MediaType,
  operationsOf,
  resolve,
} from '../../../scripts/generate/contract.ts';

export const contract: Contract = JSON.parse(readFileSync('generated/openapi.json', 'utf8'));

/** An answer that the contract promises: of an example where there is a body, and of the status alone where there is none. */
export interface PromisedAnswer {
  operationId: string;
  located: LocatedOperation;
  status: number;
  mediaType: string | null;
  example: string | null;
  body: unknown;
}

/** Every named example of every answer of every operation, and every answer without a body. */
export function promisedAnswers(): PromisedAnswer[] {
  return operationsOf(contract).flatMap((located) =>
    Object.entries(located.operation.responses).flatMap(([status, declared]): PromisedAnswer[] => {
      const answer = { operationId: located.operation.operationId, located, status: Number(status) };
      const content = Object.entries(resolve(contract, declared).content ?? {});
      if (content.length === 0) return [{ ...answer, mediaType: null, example: null, body: undefined }];
      return content.flatMap(([mediaType, media]) =>
        namedExamples(media).map(([example, { value }]) => ({ ...answer, mediaType, example, body: value })),
      );
    }),
  );
}

/** The examples of a body or a parameter, by name. */
export function namedExamples({ examples = {} }: Pick<MediaType, 'examples'>): [name: string, Example][] {
  return Object.entries(examples).map(([name, example]) => [name, resolve(contract, example)]);
}
