import type { Page } from 'playwright-core';

/** What somebody tells of themselves to get an account. */
export interface Newcomer {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly password: string;
}

/** Somebody without an account yet. @param name in the email address, which nobody else may have */
export function newcomerNamed(name: string): Newcomer {
  return {
    firstName: name,
    lastName: 'Rivera',
    email: `${name.toLowerCase()}@example.com`,
    phone: '(415) 555-0134',
    password: 'a quiet place by the sea',
  };
}

/** Fills in the form of the sign-in page, and sends it. */
export async function signIn(page: Page, who: { readonly email: string; readonly password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await press(page, 'Sign in');
}

/** Fills in the form of the sign-up page, and sends it. */
export async function signUp(page: Page, who: Newcomer): Promise<void> {
  await page.getByLabel('First name').fill(who.firstName);
  await page.getByLabel('Last name').fill(who.lastName);
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Phone number').fill(who.phone);
  await page.getByLabel('Password').fill(who.password);
  await press(page, 'Create account');
}

export async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Waits until a page is open, by its heading, with its style and its pictures. */
export async function see(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForLoadState();
}
