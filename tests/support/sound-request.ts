import type { RequestContext, RideRequest } from '../../server/domain/rides/request.ts';
import { DOWNTOWN, FAKE_GEOGRAPHY, SUBURB, TUESDAY_MORNING } from './fake-area.ts';

/** A valid ride request of a passenger in good standing. */
export const REQUEST: RideRequest = {
  worldId: 'live',
  id: 'ride-1',
  applicationId: 'app-1',
  passengerId: 'passenger-1',
  rideType: 'svc',
  profile: 'personal',
  origin: DOWNTOWN,
  destination: SUBURB,
  at: TUESDAY_MORNING,
};
const WELL = { hasPaymentMethod: true, disabled: false, inDriverMode: false, phoneVerified: true };
export const CONTEXT: RequestContext = {
  geography: FAKE_GEOGRAPHY,
  passenger: WELL,
  pageAbout: (problem) => `about ${problem}`,
  latest: null,
  mayReadRides: true,
  confirmation: null,
  costTokenId: 'cost-token-1',
  sealOffer: () => 'sealed',
  isConfirmationForced: false,
  hasCarNear: () => true,
};
