import { statements } from '../statements.ts';

/**
 * An application shows since when all its live webhooks have failed. Applications that already fail start counting now.
 */
export const up = statements('alter table applications add column webhook_failing_since bigint');
