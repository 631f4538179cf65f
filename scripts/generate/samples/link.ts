import type { CodeSample } from '../../contract/bundle.ts';
import type { SampleCall } from './call.ts';
import { literal, PYTHON, TYPESCRIPT } from './literal.ts';

/** Samples for a page, which a person opens in a browser. */
export function linkSamples({ baseUrl, url, query }: SampleCall): CodeSample[] {
  const said = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return [
    { lang: 'HTTP', label: 'Link', source: `${url}?${new URLSearchParams(said)}` },
    {
      lang: 'TypeScript',
      label: 'TypeScript',
      source: [
        "import { authorizationUrl } from 'ridehail';",
        '',
        `const url = authorizationUrl('${baseUrl}', ${literal(query, TYPESCRIPT, '', 50)});`,
        "console.log('Open this in a browser:', url);",
      ].join('\n'),
    },
    {
      lang: 'Python',
      label: 'Python',
      source: [
        'from urllib.parse import urlencode',
        '',
        `query = urlencode(${literal(query, PYTHON, '', 20)})`,
        `print(f"Open this in a browser: ${url}?{query}")`,
      ].join('\n'),
    },
  ];
}
