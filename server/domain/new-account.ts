import type { Passenger } from './passenger.ts';
import { displayNameOf } from './payment/card.ts';
import type { PaymentProvider } from './payment/provider.ts';
import type { TextMessages } from './phone/text-messages.ts';

/** What a new account gets without verification, because the server has no means to verify it. */
export interface GivenAtSignUp extends Pick<Passenger, 'paymentMethod' | 'phoneVerified'> {
  /** Whether the phone number cannot be changed later. */
  readonly isPhoneFinal: boolean;
}

/**
 * With simulated payments, an account gets a test card, because a card form would verify nothing. If no text message
 * can be delivered, phone numbers count as verified; otherwise no one could request a ride. A real provider and a real
 * sender do their own checks.
 */
export function givenAtSignUp(
  { testCards }: Pick<PaymentProvider, 'testCards'>,
  textMessages: Pick<TextMessages, 'latestTo'> | null,
): GivenAtSignUp {
  const card = testCards.find(({ refusal }) => refusal === undefined);
  return {
    paymentMethod: card === undefined ? null : displayNameOf(card),
    phoneVerified: textMessages === null || textMessages.latestTo !== undefined,
    isPhoneFinal: textMessages === null,
  };
}
