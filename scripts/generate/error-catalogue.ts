import { errorUrl } from '../../server/http/error-url.ts';
import { type Contract, type Example, operationsOf } from '../contract/bundle.ts';
import { failuresOf } from './failures.ts';

/** Returns the catalogue as Markdown, sorted by code. In the documentation, each heading gets `#tag/Errors/<code>`. */
export function errorCatalogue(contract: Contract): string {
  const statuses = statusesOf(contract);
  return Object.entries(contract['x-errors'] ?? {})
    .map(([code, texts]) => {
      const shown = [...(statuses.get(code) ?? [])].sort().join(', ');
      const facts = [`**Status:** ${shown}`, `**Retry:** ${texts.retry}`, `**What to do:** ${texts.do}`];
      return [`## ${code}`, texts.means, facts.map((fact) => `- ${fact}`).join('\n')].join('\n\n');
    })
    .join('\n\n');
}

function statusesOf(contract: Contract): ReadonlyMap<string, ReadonlySet<number>> {
  const statuses = new Map<string, Set<number>>();
  const add = (code: string, status: number) => {
    const known = statuses.get(code) ?? new Set();
    statuses.set(code, known.add(status));
  };
  for (const [code, status] of Object.entries(contract.info['x-failures'] ?? {})) add(code, status);
  for (const { operation } of operationsOf(contract)) {
    for (const [code, status] of Object.entries(failuresOf(operation))) add(code, status);
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const code of response['x-errors'] ?? []) add(code, Number(status));
    }
  }
  return statuses;
}

/** Adds `documentation_url` to each example of an error body in a bundle. */
export function withDocumentationUrls(document: Contract, serverUrl: string): Contract {
  const linked = (example: Example): Example => {
    const { error } = Object(example.value) as { readonly error?: string };
    if (error === undefined || document['x-errors']?.[error] === undefined) return example;
    return { ...example, value: { ...Object(example.value), documentation_url: errorUrl(serverUrl, error) } };
  };
  const examples = Object.entries(document.components?.examples ?? {});
  const all = Object.fromEntries(examples.map(([name, example]) => [name, linked(example)]));
  return { ...document, components: { ...document.components, examples: all } };
}
