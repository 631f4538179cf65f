import { type acceptOffer, offerApplication, withdrawOffer } from '../../../server/applications/transfer.ts';
import { auditTo } from '../../../server/audit.ts';
import { runCommand } from '../../../server/operator/commands.ts';
import { findOwnApplication } from '../../../server/store/applications.ts';
import type { TestServer } from '../../support/server.ts';

export interface On {
  readonly server: TestServer;
  /** A second server on the same database, which slows callers down after one attempt. */
  readonly strict: TestServer;
}

/** Runs an operator's command. */
export const operate = ({ server: { parts } }: On, name: string, input: unknown) =>
  runCommand({ ...parts, audit: auditTo(parts.logger) }, name, input) as Promise<Record<string, string>>;
/** Creates a developer without applications. */
export const operatorsDeveloper = async (on: On) =>
  (await operate(on, 'developer.create', { email: `${crypto.randomUUID()}@example.com` })).developer_id!;
/** Runs a command on a new application of a new developer. */
export const operated =
  (name: string | null, input: (developer: string) => object | Promise<object> = () => ({})) =>
  async (on: On) => {
    const developer = await operatorsDeveloper(on);
    const { client_id: application = '' } = await operate(on, 'application.create', {
      ...{ name: 'Mine', redirect_uris: ['https://app.example.com/callback'], developer },
      ...{ webhook_url: null, sandbox_webhook_url: null },
    });
    if (name !== null) await operate(on, name, { application, ...(await input(await operatorsDeveloper(on))) });
    return { application };
  };
/** Offers a new application to another developer, and decides. Without a decision, the offer stays open. */
export const offered = (decide?: typeof acceptOffer) => async (on: On) => {
  const { application } = await operated(null)(on);
  const { parts } = on.server;
  const by = (developerId: string) => ({
    ...{ developerId, network: null, realNow: parts.now() },
    audit: auditTo(parts.logger),
  });
  const owner = (await findOwnApplication(parts.store.db, application))!.developerId!;
  const developer = await operatorsDeveloper(on);
  await offerApplication(parts, by(owner), application, developer);
  if (decide === undefined) return { application, developer: owner };
  const decider = decide === withdrawOffer ? owner : developer;
  await decide(parts, by(decider), application);
  return { application, developer: decider };
};
export const set = (changes: object) => operated('application.set', () => ({ changes }));
