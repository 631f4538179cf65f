import { type LocatedOperation, operationsOf } from '../../../scripts/contract/bundle.ts';
import { contract } from '../../../scripts/contract/read.ts';

/** A response that the contract declares. Its body comes from an example; some have no body. */
export interface PromisedAnswer {
  operationId: string;
  located: LocatedOperation;
  status: number;
  mediaType: string | null;
  example: string | null;
  body: unknown;
}

/** Returns every named response example and every response without a body. */
export function promisedAnswers(): PromisedAnswer[] {
  return operationsOf(contract).flatMap((located) =>
    Object.entries(located.operation.responses).flatMap(([status, { content = {} }]): PromisedAnswer[] => {
      const answer = { operationId: located.id, located, status: Number(status) };
      const media = Object.entries(content);
      if (media.length === 0) return [{ ...answer, mediaType: null, example: null, body: undefined }];
      return media.flatMap(([mediaType, { examples = {} }]) =>
        Object.entries(examples).map(([example, { value }]) => ({ ...answer, mediaType, example, body: value })),
      );
    }),
  );
}
