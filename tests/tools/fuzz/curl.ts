import type { Who } from './attack.ts';
import type { Sent } from './send.ts';

const SERVER = 'http://localhost:8080';
const MOST_BYTES_SPELLED = 4000;
/** Commands that print a token of each kind on a development server. Other Authorization headers stay unchanged. */
const TOKENS: { readonly [W in Who]?: string } = {
  'a passenger': 'npm run -s token -- --sandbox',
  'an application': 'npm run -s token -- --sandbox --client',
};

/** A bash command that sends a request to a development server, with a new token and a placeholder for the ride ID. */
export function curlOf({ method, target, headers, body }: Sent, who: Who, server = SERVER): string {
  const rideId = /(?<=\/rides\/)[0-9a-f]{8}-[0-9a-f-]{27}/;
  const parts = ['curl -i --path-as-is --globoff', method === 'HEAD' ? '--head' : `-X ${method}`];
  parts.push(quoted(server + target).replace(rideId, `'"$RIDE_ID"'`));
  for (const [name, value] of Object.entries(headers)) {
    const token = name === 'Authorization' ? TOKENS[who] : undefined;
    parts.push(token ? `-H "Authorization: Bearer $(${token})"` : `-H ${quoted(`${name}: ${value}`)}`);
  }
  if (body === undefined) return parts.join(' ');
  // curl would add its own Content-Type
  if (!('Content-Type' in headers)) parts.push(`-H 'Content-Type:'`);
  return [...parts, `--data-binary ${dataOf(body)}`].join(' ');
}

function dataOf(body: Buffer): string {
  const text = body.toString('utf8');
  if (/^ {1000,}$/.test(text)) return `@<(printf '%${body.length}s' '')`;
  // a terminal changes control characters, and curl reads a leading @ as a file name
  const isPlain =
    Buffer.from(text).equals(body) && body.length <= MOST_BYTES_SPELLED && /^[^\p{C}@][^\p{C}]*$/u.test(text);
  return isPlain ? quoted(text) : `@<(base64 -d <<< ${body.toString('base64')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
