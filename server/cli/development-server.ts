/** The demo application, as returned by a development server. */
export interface Demo {
  readonly base_url: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly sandbox_client_secret: string;
  readonly redirect_uri: string;
  readonly verification_token: string;
  readonly sandbox_verification_token: string;
  readonly passengers: ReadonlyArray<{ readonly email: string; readonly password: string }>;
}

export const SERVER_URL = `http://localhost:${process.env.PORT || 8080}`;

/** Calls a development server. Throws an Error that says what to do. */
export async function askServer<T>(
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
): Promise<T> {
  // its credentials are public, so a production server refuses them
  if (process.env.NODE_ENV === 'production')
    throw new Error('The demo application is for development, and NODE_ENV is production. Use ridehail-server app.');
  const response = await fetch(SERVER_URL + path, {
    method,
    ...(body && { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(
      `No server responds at ${SERVER_URL}. Start it with "npm start" or "ridehail-server start", or set PORT to its port.`,
    );
  });
  if (response.status === 404)
    throw new Error(
      `The server at ${SERVER_URL} has no demo application. It runs in production, or other machines can reach it and DEMO is not true.`,
    );
  const answer = (await response.json()) as T & { readonly error_description?: string };
  if (!response.ok) throw new Error(answer.error_description ?? `The server returned ${response.status}.`);
  return answer;
}
