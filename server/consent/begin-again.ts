import { html } from '../pages/html.ts';
import type { Page } from '../pages/layout.ts';
import { authorizePath } from './step.ts';
import { refusedPage } from './views/refused.ts';

/** Says why somebody cannot go on from here, and leads back to the first page of the same authorization request. */
export function beginAgain(query: string, { title, sentence }: { title: string; sentence: string }): Page {
  const page = refusedPage({ title, sentence });
  return { ...page, body: html`${page.body}<p><a href="${authorizePath(query)}">Begin again</a></p>` };
}
