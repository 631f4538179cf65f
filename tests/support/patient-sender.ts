import { HOUR_MS } from '../../server/domain/time.ts';
import { createSender, type Sender } from '../../server/webhooks/delivery/send.ts';

/** A sender that gives up no answer: one that a test holds back takes as long as the machine takes for the rest. */
export function patientSender(now: () => number): Sender {
  return createSender({ allowPrivate: true, requireHttps: false, now, timeoutMs: HOUR_MS });
}
