import type { SampleCall } from './call.ts';
import { JSON_TEXT, literal } from './literal.ts';

/** Makes the call with one command. Prints the response, and its status if it has no body. */
export function curlSample(call: SampleCall): string {
  return [command(call), ...credentials(call), ...data(call)].join(' \\\n  ');
}

function command({ answer, method, url, query, body }: SampleCall): string {
  const implied = body === undefined ? 'GET' : 'POST';
  const options = [...(answer === 'nothing' ? ['-i'] : []), ...(Object.keys(query).length > 0 ? ['-G'] : [])];
  return ['curl', ...options, ...(method === implied ? [] : [`-X ${method}`]), url].join(' ');
}

function credentials(call: SampleCall): string[] {
  if (call.credentials === 'none') return [];
  return [call.credentials === 'basic' ? '-u "$CLIENT_ID:$CLIENT_SECRET"' : '-H "Authorization: Bearer $TOKEN"'];
}

function data({ query, body, isForm }: SampleCall): string[] {
  const fields = Object.entries(isForm ? (body as object) : query).map(([name, value]) => field(name, String(value)));
  if (body === undefined || isForm) return fields;
  return ['-H "Content-Type: application/json"', `-d ${quoted(literal(body, JSON_TEXT, '  '))}`];
}

function field(name: string, value: string): string {
  const isPlain = /^[\w.-]*$/.test(value);
  return isPlain ? `-d ${name}=${value}` : `--data-urlencode ${quoted(`${name}=${value}`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
