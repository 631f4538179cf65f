import type { Passenger } from './passenger.ts';
import { displayNameOf } from './payment/card.ts';
import type { PaymentProvider } from './payment/provider.ts';
import type { TextMessages } from './phone/text-messages.ts';

/** What a new account has without a check, because the server has nobody who could check it. */
export interface GivenAtSignUp extends Pick<Passenger, 'paymentMethod' | 'phoneVerified'> {
  /** Whether the passenger can have another number later. */
  readonly isPhoneFinal: boolean;
}

/**
 * With simulated payments the account has a test card: a form for it would check nothing. A number counts as verified if
 * no message can reach it: otherwise nobody could ever ride. A real provider and a real sender make their own checks.
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
