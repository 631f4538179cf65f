import type { TestServer } from '../support/server.ts';

/** Returns a function that opens a page of a server. @returns the response, with the titles in its text */
export function pagesOf(server: Pick<TestServer, 'baseUrl'>) {
  return async (path: string, init?: RequestInit) => {
    const response = await fetch(server.baseUrl + path, init);
    const { status, headers } = response;
    const text = await response.text();
    const titles = [...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title!);
    return { status, type: headers.get('content-type'), headers, text, titles };
  };
}
