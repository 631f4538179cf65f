import { at, type Contract, type Header, nameOf, type Operation, type Response } from '../../contract/bundle.ts';
import { mapValues } from './map-schemas.ts';

type Responses = Record<string, Response>;

/**
 * Shows each operation's own limit in the examples of its headers. If operations with different limits share a
 * response, splits it into one response per limit: `BadParameter` for the first limit, then `BadParameterOf5`.
 */
export function withOwnLimits(document: Contract): Contract {
  const shared: Responses = { ...document.components?.responses };
  const firstLimits = new Map<string, number>();

  const shareOf = (name: string, limit: number, status: string): string => {
    const firstLimit = firstLimits.get(name) ?? limit;
    firstLimits.set(name, firstLimit);
    const own = limit === firstLimit ? name : `${name}Of${limit}`;
    shared[own] = withExamples(document, document.components!.responses![name]!, limit, status);
    return own;
  };
  const responsesOf = (operation: Operation): Responses => {
    const limit = operation['x-rate-limit']?.limit;
    if (limit === undefined) return operation.responses;
    return mapValues(operation.responses, (response, status) => {
      const name = nameOf(response);
      if (name === undefined) return withExamples(document, response, limit, status);
      if (!isLimited(document.components!.responses![name]!)) return response;
      return { $ref: `#/components/responses/${shareOf(name, limit, status)}` } as Response;
    });
  };

  const paths = mapValues(document.paths ?? {}, (item) =>
    mapValues(item as Record<string, Operation>, (operation) => ({ ...operation, responses: responsesOf(operation) })),
  );
  return { ...document, paths, components: { ...document.components, responses: shared } };
}

function isLimited({ headers = {} }: Response): boolean {
  return 'X-RateLimit-Limit' in headers;
}

function withExamples(document: Contract, response: Response, limit: number, status: string): Response {
  if (!isLimited(response)) return response;
  const left = status === '429' ? 0 : limit - 1;
  const examples: Record<string, number> = { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': left };
  const headers = mapValues(response.headers!, (header, name) =>
    name in examples ? { ...at<Header>(document, header.$ref!), example: examples[name] } : header,
  );
  return { ...response, headers };
}
