import { SECOND_MS } from '../time.ts';
import type { WebhookSettings } from '../worlds/settings.ts';

/**
 * How long to delay an event's first attempt, in milliseconds of the world's clock.
 * @param earlier how many events the ride had before this one
 */
export function heldBackMs({ holdSeconds, reorder }: WebhookSettings, earlier: number): number {
  const isHeld = !reorder || earlier % 2 === 0;
  return isHeld ? holdSeconds * SECOND_MS : 0;
}

/** Whether to drop an attempt. @param earlier how many attempts the event had before this one */
export function isDropped({ dropFirst }: WebhookSettings, earlier: number): boolean {
  return earlier < dropFirst;
}
