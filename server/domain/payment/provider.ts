import type { Card } from './card.ts';

/** What a provider says of a card. */
export type CardVerdict =
  | {
      /** What the passenger and receipts see of it, such as "Visa ending in 4242". */
      readonly paymentMethod: string;
    }
  | {
      /** Why it was not accepted, in words for the passenger and without anything of the card. */
      readonly refusal: string;
    };

/** Takes payment cards. This port is all that knows their numbers. */
export interface PaymentProvider {
  addCard(card: Card): Promise<CardVerdict>;
  /** The cards of a simulated provider, which takes no others; empty for a real one. */
  readonly testCards: readonly TestCard[];
}

export interface TestCard {
  /** In groups, as on a card. */
  readonly number: string;
  /** Absent for a card that is accepted. */
  readonly refusal?: string;
}
