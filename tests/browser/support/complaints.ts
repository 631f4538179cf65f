import type { Page } from 'playwright-core';

/** The console's message for the status of the page's own URL. The tests check that status themselves. */
const FAILED_ADDRESS = /^Failed to load resource: the server responded with a status of 4/;

/**
 * Collects the console errors and warnings, failed requests and requests to other origins of a page.
 * @param origins origins that the page may request
 */
export function complaintsOf(page: Page, origins: readonly string[], complaints: string[] = []): string[] {
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
