import type { Card } from './card.ts';

/** Accepts payment cards. Only this port sees their numbers. */
export interface PaymentProvider {
  /**
   * @returns the name shown to the passenger and on receipts, such as "Visa ending in 4242"; or why the card was
   *   declined, worded for the passenger and without any card data
   */
  addCard(card: Card): Promise<{ readonly paymentMethod: string } | { readonly refusal: string }>;
  /** The only cards that a simulated provider accepts as input; empty for a real provider. */
  readonly testCards: readonly TestCard[];
}

export interface TestCard {
  /** In groups, as on a card. */
  readonly number: string;
  /** Absent for a card that is accepted. */
  readonly refusal?: string;
}
