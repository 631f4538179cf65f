import type { Page } from 'playwright-core';

/** What somebody tells of themselves to get an account: the labels of the form in their order, and what they type there. */
export type Newcomer = ReturnType<typeof newcomerNamed>;

/** Somebody without an account yet. @param name in the email address, which nobody else may have */
export function newcomerNamed(name: string) {
  return {
    'First name': name,
    'Last name': 'Rivera',
    Email: `${name.toLowerCase()}@example.com`,
    'Phone number': '(415) 555-0134',
    Password: 'a quiet place by the sea',
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
  for (const [label, text] of Object.entries(who)) await page.getByLabel(label).fill(text);
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
