import { readFileSync } from 'node:fs';

/** A request of a Postman collection. */
export interface PostmanRequest {
  readonly method: string;
  readonly url: {
    readonly path: readonly string[];
    readonly query: readonly Pair[];
    readonly variable: readonly Pair[];
  };
  header?: readonly Pair[];
  readonly body?: { readonly mode: string; readonly raw?: string; readonly urlencoded?: readonly Pair[] };
  auth?: { readonly type: string };
}

interface Pair {
  readonly key: string;
  readonly value: string | null;
  readonly disabled?: boolean;
}

interface Item {
  readonly item?: readonly Item[];
  readonly request?: PostmanRequest;
}

/** All requests of a collection, including those in folders. */
export function requestsIn(file: string): PostmanRequest[] {
  return requestsOf(JSON.parse(readFileSync(file, 'utf8')));
}

export function requestsOf({ item = [], request }: Item): PostmanRequest[] {
  return [...(request ? [request] : []), ...item.flatMap(requestsOf)];
}

/** Sends a request like Postman. @param authorization the credentials that the user enters */
export function send(baseUrl: string, { method, url, header = [], body }: PostmanRequest, authorization: string) {
  const variables = new Map(url.variable.map(({ key, value }) => [`:${key}`, value ?? '']));
  const path = url.path.map((part) => encodeURIComponent(variables.get(part) ?? part)).join('/');
  // Postman encodes like encodeURI, which does not encode a +
  const query = sent(url.query)
    .map(([key, value]) => `${key}=${encodeURI(value)}`)
    .join('&');
  return fetch(`${baseUrl}/${path}${query && `?${query}`}`, {
    method,
    redirect: 'manual',
    headers: [...sent(header), ['Authorization', authorization]],
    ...(body && { body: body.mode === 'urlencoded' ? new URLSearchParams(sent(body.urlencoded ?? [])) : body.raw! }),
  });
}

function sent(pairs: readonly Pair[]): [string, string][] {
  return pairs.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value ?? '']);
}
