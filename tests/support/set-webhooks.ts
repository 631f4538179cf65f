import type { Application } from '../../server/domain/application.ts';
import { setWebhook } from '../../server/store/application-keys.ts';
import type { Queries } from '../../server/store/schema.ts';

/** Sets both webhook URLs of an application to the same URL, each with its own key. */
export async function setWebhooks(
  db: Queries,
  id: string,
  url: string | null,
  keys: Pick<Application, 'verificationToken' | 'sandboxVerificationToken'>,
  realNow: number,
): Promise<void> {
  await setWebhook(db, id, 'live', { url, verificationToken: keys.verificationToken }, realNow);
  await setWebhook(db, id, 'sandbox', { url, verificationToken: keys.sandboxVerificationToken }, realNow);
}
