import { SECOND_MS } from '../time.ts';
import type { WebhookSettings } from '../worlds/settings.ts';

/**
 * By how many milliseconds of the world's clock an event's first attempt is held back.
 *
 * @param earlier how many events of the same ride came before it
 */
export function heldBackMs({ holdSeconds, reorder }: WebhookSettings, earlier: number): number {
  const isHeld = !reorder || earlier % 2 === 0;
  return isHeld ? holdSeconds * SECOND_MS : 0;
}

/** Whether the attempt after so many others of the same event is not sent. */
export function isDropped({ dropFirst }: WebhookSettings, earlier: number): boolean {
  return earlier < dropFirst;
}
