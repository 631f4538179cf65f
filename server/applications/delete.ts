import type { Parts } from '../parts.ts';
import { deleteApplication as deleteRow } from '../store/application-ends.ts';
import { type By, holdOwn } from './by.ts';

/**
 * Deletes an application. Its tokens and codes end immediately, its webhooks stop, and its sandboxes are deleted. Live
 * rides that passengers requested through it continue. Throws Refusal `not_found`.
 */
export async function deleteApplication({ store }: Pick<Parts, 'store'>, by: By, id: string): Promise<void> {
  await store.transaction(async (tx) => {
    await holdOwn(tx, id, by);
    await deleteRow(tx, id, by.realNow);
  });
  by.audit({ event: 'application_deleted', result: 'succeeded', application: id, developer: by.developerId });
}
