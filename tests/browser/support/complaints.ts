import type { Page } from 'playwright-core';

/** The browser's own word for a status that the page's own address was answered with; the answer itself is looked at instead. */
const FAILED_ADDRESS = /^Failed to load resource: the server responded with a status of 4/;

/**
 * What a browser has to complain of from now on, as it happens: errors and warnings of its console, parts of a page that are not
 * there, and requests to an origin that a page has no business with.
 * @param origins those that it may ask
 */
export function complaintsOf(page: Page, origins: readonly string[]): string[] {
  const complaints: string[] = [];
  const complain = (text: string) => complaints.push(`${page.url()}: ${text}`);
  page.on('console', (message) => {
    const isTold = ['error', 'warning'].includes(message.type()) && !FAILED_ADDRESS.test(message.text());
    if (isTold) complain(message.text());
  });
  page.on('pageerror', (error) => complain(error.message));
  page.on('response', (response) => {
    const isPart = !response.request().isNavigationRequest();
    if (isPart && response.status() >= 400) complain(`${response.status()} ${response.url()}`);
  });
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin)) complain(`asks for ${request.url()}`);
  });
  return complaints;
}
