import { displayNameOf } from '../domain/payment/card.ts';
import type { PaymentProvider, TestCard } from '../domain/payment/provider.ts';

const TEST_CARDS: readonly TestCard[] = [
  { number: '4242 4242 4242 4242' },
  { number: '5555 5555 5555 4444' },
  { number: '3782 822463 10005' },
  { number: '4000 0000 0000 0002', refusal: 'The card was declined. Use another card.' },
  { number: '4000 0000 0000 0069', refusal: 'This card has expired, according to the bank. Use another card.' },
];

const NO_TEST_CARD = 'This simulated service accepts only test cards. Don’t enter a real card.';

/** Accepts test cards and charges no one. Refuses real cards, so that no one believes theirs was charged. */
export const simulatedPaymentProvider: PaymentProvider = {
  testCards: TEST_CARDS,
  addCard: async (card) => {
    const known = TEST_CARDS.find(({ number }) => number.replaceAll(' ', '') === card.number);
    if (known === undefined) return { refusal: NO_TEST_CARD };
    return known.refusal === undefined ? { paymentMethod: displayNameOf(card) } : { refusal: known.refusal };
  },
};
