import { operationsOf, webhooksOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { referencePages } from '../../scripts/docs/reference.ts';

/** The places in the documentation that links name, each with its heading. tests/browser/docs.test.ts opens them. */
export const DOCS_ANCHORS: ReadonlyMap<string, string> = new Map([
  ...headingsIn(contract.info.description, '#').map((heading) => [`section/${named(heading)}`, heading] as const),
  ...[...contract.tags!, ...referencePages()].flatMap(({ name, description }) => [
    [`tag/${named(name)}`, name] as const,
    ...headingsIn(description, '##').map((heading) => [`tag/${named(name)}/${named(heading)}`, heading] as const),
  ]),
  ...[...operationsOf(contract), ...webhooksOf(contract)].map(
    ({ id, operation }) => [`operation/${id}`, operation.summary] as const,
  ),
]);

function headingsIn(markdown: string, level: '#' | '##'): string[] {
  return [...markdown.matchAll(new RegExp(`^${level} (.+)$`, 'gm'))].map(([, heading]) => heading!);
}

function named(heading: string): string {
  return heading.replaceAll(' ', '-');
}
