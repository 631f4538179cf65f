import type { TestServer } from '../../support/server.ts';

export const BUNDLES = ['openapi.json', 'openapi-3.0.json'] as const;

/** A bundle as clients download it. */
export async function servedContract({ baseUrl }: TestServer, name: (typeof BUNDLES)[number]): Promise<string> {
  return (await fetch(`${baseUrl}/${name}`)).text();
}
