import type { Parts } from '../../parts.ts';
import type { PasswordCheck } from '../../sign-in/password-check.ts';
import type { Developer } from '../../store/developers.ts';
import type { PortalPage } from '../page.ts';
import { deletionPage } from './deletion.ts';
import { overviewPage } from './overview.ts';
import { passwordPage } from './password.ts';

/** The developer's account pages. */
export function accountPages(parts: Parts, checkPassword: PasswordCheck<Developer>): readonly PortalPage[] {
  return [overviewPage(parts), passwordPage(parts, checkPassword), deletionPage(parts, checkPassword)];
}
