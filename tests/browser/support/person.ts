import type { Page } from 'playwright-core';

/** What a new user types into the sign-up form, by label, in its order. @param name a unique part of the email address */
export function newcomerNamed(name: string) {
  return {
    'First name': name,
    'Last name': 'Rivera',
    Email: `${name.toLowerCase()}@example.com`,
    'Phone number': '(415) 555-0134',
    Password: 'a quiet place by the sea',
  };
}

export async function signIn(page: Page, who: { readonly email: string; readonly password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email);
  await page.getByLabel('Password').fill(who.password);
  await press(page, 'Sign in');
}

export async function signUp(page: Page, who: ReturnType<typeof newcomerNamed>): Promise<void> {
  for (const [label, text] of Object.entries(who)) await page.getByLabel(label).fill(text);
  await press(page, 'Create account');
}

export async function press(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Waits until the page with this heading is open, with its style and its pictures. */
export async function see(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForLoadState();
}
