import type { SampleCall } from './call.ts';
import { Code, literal, TYPESCRIPT } from './literal.ts';

/** Makes the call with the client, the package `ridehail`. Prints the response, or its status if it has no body. */
export function typescriptSample(call: SampleCall): string {
  const isBasic = call.credentials === 'basic';
  const options = {
    baseUrl: call.baseUrl,
    ...(call.credentials === 'token' && { token: new Code('process.env.TOKEN') }),
  };
  const got = call.answer === 'nothing' ? 'response' : 'data';
  return [
    "import { createClient } from 'ridehail';",
    '',
    ...(isBasic ? CREDENTIALS : []),
    `const api = createClient(${literal(options, TYPESCRIPT, '', 'const api = createClient('.length)});`,
    `const { ${got}, error } = await api.${call.operationId}(${init(call)});`,
    'if (error) throw new Error(error.error_description);',
    `console.log(${call.answer === 'nothing' ? 'response.status' : 'data'});`,
  ].join('\n');
}

const CREDENTIALS = [
  'const { CLIENT_ID, CLIENT_SECRET } = process.env;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the sample fills it in
  'const credentials = btoa(`${CLIENT_ID}:${CLIENT_SECRET}`);',
];

// biome-ignore lint/suspicious/noTemplateCurlyInString: the sample fills it in
const BASIC = new Code('`Basic ${credentials}`');

function init({ operationId, path, query, body, credentials }: SampleCall): string {
  const params = { ...unlessEmpty('path', path), ...unlessEmpty('query', query) };
  const parts = {
    ...(credentials === 'basic' && { headers: { Authorization: BASIC } }),
    ...unlessEmpty('params', params),
    ...(body !== undefined && { body }),
  };
  const column = `const { data, error } = await api.${operationId}();`.length;
  return Object.keys(parts).length === 0 ? '' : literal(parts, TYPESCRIPT, '', column);
}

function unlessEmpty(name: string, value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.keys(value).length === 0 ? {} : { [name]: value };
}
