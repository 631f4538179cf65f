import express, { Router } from 'express';
import { DEFAULT_SCOPES, SCOPES } from '../../generated/server.ts';
import { changeWebhook } from '../applications/webhook.ts';
import { DEMO, DEMO_PASSENGERS } from '../demo.ts';
import { Refusal } from '../domain/refusal.ts';
import { scopesOf } from '../domain/scopes.ts';
import { MINUTE_MS } from '../domain/time.ts';
import { LIVE_WORLD } from '../domain/worlds/live.ts';
import { hashOf, newToken } from '../oauth/secrets.ts';
import type { Parts } from '../parts.ts';
import { findApplication } from '../store/applications.ts';
import { findPassengerByEmail } from '../store/passengers.ts';
import { insertCode } from '../store/tokens.ts';
import { auditOf } from './audit.ts';
import { methodNotAllowed } from './failures.ts';

const CODE_TTL_MS = 10 * MINUTE_MS;

/** For the scripts, on a development server: the demo application, and codes without the passenger's consent. */
export function developmentRouter(
  parts: Pick<Parts, 'store' | 'now' | 'randomBytes' | 'publicUrl' | 'webhookTargets' | 'logger'>,
): Router {
  const { store, now, randomBytes } = parts;
  const router = Router({ caseSensitive: true, strict: true });

  // the server seeds it at startup, but its developer can delete it
  const demoApplication = async () => {
    const application = await findApplication(store.db, DEMO.clientId);
    if (application !== undefined) return application;
    throw new Refusal('not_found', 'The demo application was deleted. Restart the server to create it again.');
  };
  const describe = async () => {
    const { redirectUris, verificationToken, sandboxVerificationToken } = await demoApplication();
    return {
      base_url: parts.publicUrl,
      client_id: DEMO.clientId,
      client_secret: DEMO.clientSecret,
      sandbox_client_secret: DEMO.sandboxClientSecret,
      redirect_uri: redirectUris[0],
      verification_token: verificationToken,
      sandbox_verification_token: sandboxVerificationToken,
      passengers: DEMO_PASSENGERS.map(({ email }) => ({ email, password: DEMO.password })),
    };
  };

  router.get('/development/demo', async (_req, res) => void res.json(await describe()));

  router.put('/development/demo', express.json({ inflate: false }), async (req, res) => {
    const url = webhookUrlOf(req.body?.webhook_url);
    const { id } = await demoApplication();
    const operator = { developerId: null, network: null, realNow: now(), audit: auditOf(parts, req) };
    for (const environment of ['live', 'sandbox'] as const)
      await changeWebhook(parts, operator, id, { environment, url });
    res.json(await describe());
  });

  router.post('/development/codes', express.json({ inflate: false }), async (req, res) => {
    const { email = DEMO_PASSENGERS[0]!.email, scope = SCOPES.userToken.join(' ') } = req.body ?? {};
    if (typeof email !== 'string' || typeof scope !== 'string')
      throw new Refusal('bad_parameter', 'The email and the scope must be texts.', { email: 'must be a text' });
    const passenger = await findPassengerByEmail(store.db, LIVE_WORLD.id, email.toLowerCase());
    if (passenger === undefined) {
      throw new Refusal('bad_parameter', 'No passenger has this email.', { email: 'is not known' });
    }
    const code = newToken(randomBytes);
    const issuedAt = now();
    const scopes = demoScopes(scope);
    const redirectUri = (await demoApplication()).redirectUris[0]!;
    await insertCode(store.db, {
      ...{ codeHash: hashOf(code), applicationId: DEMO.clientId, passengerId: passenger.id, scopes, redirectUri },
      ...{ codeChallenge: null, issuedAt, expiresAt: issuedAt + CODE_TTL_MS, usedAt: null },
    });
    const of = { application: DEMO.clientId, passenger: passenger.id };
    auditOf(parts, req)({ event: 'consent', result: 'not_asked', ...of, scopes });
    res.status(201).json({ code });
  });

  router.all('/development/demo', methodNotAllowed(['GET', 'HEAD', 'PUT']));
  router.all('/development/codes', methodNotAllowed(['POST']));
  return router;
}

function demoScopes(scope: string): string[] {
  try {
    return scopesOf(scope, SCOPES.userToken, DEFAULT_SCOPES);
  } catch (error) {
    // paths outside the contract use a single code for bad fields
    if (error instanceof Refusal) throw new Refusal('bad_parameter', error.description, error.detail);
    throw error;
  }
}

function webhookUrlOf(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value;
  throw new Refusal('bad_parameter', 'Enter a webhook URL, or null for none.', { webhook_url: 'cannot be used' });
}
