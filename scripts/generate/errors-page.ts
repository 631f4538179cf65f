import { contract } from '../contract/read.ts';
import { withAbsoluteLinks } from './bundle/links.ts';
import { errorCatalogue } from './error-catalogue.ts';
import { errorsTable } from './errors-table.ts';

/** Replaces the table of docs/reference/errors.md, and the sections about each code that follow it. */
export function errorsPage(page: string): string {
  const prose = page.split('\n| Code |')[0]!.trimEnd();
  const generated = [errorsTable(contract), errorCatalogue(contract)];
  const links = withAbsoluteLinks({ generated }, contract.servers![0]!.url);
  return `${[prose, ...links.generated].join('\n\n')}\n`;
}
