import { createClient } from '../../client/client.ts';
import { DEMO } from '../../server/demo.ts';

export function basic(id: string, secret: string): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

/** An access token of the demo application for a demo passenger in the live world of a development server. */
export async function demoToken(baseUrl: string, email = 'maya@example.com'): Promise<string> {
  const consent = await fetch(`${baseUrl}/development/codes`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const { code } = (await consent.json()) as { code: string };
  const { data, error } = await createClient({ baseUrl }).createToken({
    body: { grant_type: 'authorization_code', code },
    headers: basic(DEMO.clientId, DEMO.clientSecret),
  });
  if (data === undefined) throw new Error(`createToken failed: ${JSON.stringify(error)}`);
  return data.access_token;
}
