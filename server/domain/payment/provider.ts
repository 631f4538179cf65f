import type { Card } from './card.ts';

export type CardVerdict =
  | {
      /** The name shown to the passenger and on receipts, such as "Visa ending in 4242". */
      readonly paymentMethod: string;
    }
  | {
      /** Why the card was declined, worded for the passenger and without any card data. */
      readonly refusal: string;
    };

/** Accepts payment cards. Only this port sees their numbers. */
export interface PaymentProvider {
  addCard(card: Card): Promise<CardVerdict>;
  /** The only cards that a simulated provider accepts as input; empty for a real provider. */
  readonly testCards: readonly TestCard[];
}

export interface TestCard {
  /** In groups, as on a card. */
  readonly number: string;
  /** Absent for a card that is accepted. */
  readonly refusal?: string;
}
