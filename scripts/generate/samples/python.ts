import type { SampleCall } from './call.ts';
import { Code, literal, PYTHON } from './literal.ts';

/** Makes the call with Python's standard library. Prints the response, or its status if it has no body. */
export function pythonSample(call: SampleCall): string {
  const setUp = [...credentials(call), ...query(call)];
  const isBodyJson = call.body !== undefined && !call.isForm;
  const isFormNeeded = Object.keys(call.query).length > 0 || (call.body !== undefined && call.isForm);
  return [
    ...(call.credentials === 'basic' ? ['import base64'] : []),
    ...(isBodyJson || call.answer === 'json' ? ['import json'] : []),
    'import os',
    'from urllib.error import HTTPError',
    ...(isFormNeeded ? ['from urllib.parse import urlencode'] : []),
    'from urllib.request import Request, urlopen',
    '',
    ...setUp,
    'request = Request(',
    ...argumentsOf(call).map((argument) => `    ${argument},`),
    ')',
    'try:',
    '    with urlopen(request) as response:',
    `        print(${call.answer === 'nothing' ? 'response.status' : 'json.load(response)'})`,
    'except HTTPError as error:',
    '    raise SystemExit(f"{error.code} {error.read().decode()}")',
  ].join('\n');
}

function credentials(call: SampleCall): string[] {
  if (call.credentials !== 'basic') return [];
  return [
    `credentials = f"{os.environ['CLIENT_ID']}:{os.environ['CLIENT_SECRET']}"`,
    'basic = base64.b64encode(credentials.encode()).decode()',
  ];
}

function query({ query }: SampleCall): string[] {
  if (Object.keys(query).length === 0) return [];
  return [`query = urlencode(${literal(query, PYTHON, '', 'query = urlencode('.length)})`];
}

function argumentsOf({ url, query, method, credentials, body, isForm }: SampleCall): string[] {
  const address = Object.keys(query).length === 0 ? `"${url}"` : `f"${url}?{query}"`;
  const isBodyJson = body !== undefined && !isForm;
  const headers = {
    Authorization: new Code(credentials === 'basic' ? 'f"Basic {basic}"' : `f"Bearer {os.environ['TOKEN']}"`),
    ...(isBodyJson && { 'Content-Type': 'application/json' }),
  };
  const encoder = isForm ? 'urlencode' : 'json.dumps';
  return [
    address,
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    `headers=${literal(headers, PYTHON, '    ', '    headers='.length)}`,
    ...(body === undefined ? [] : [`data=${encoder}(${literal(body, PYTHON, '    ', 30)}).encode()`]),
  ];
}
