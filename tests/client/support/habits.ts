import type { RawCall } from '../../support/raw-call.ts';

// biome-ignore lint/suspicious/noExplicitAny: these clients have no types
export type Fields = Record<string, any>;

/** The parts of a response that a client reads. */
export interface Read {
  readonly status: number;
  readonly body: Fields;
  /** The header `error`. */
  readonly error: string | null;
  readonly requestId: string;
}

/** How a client of the original API writes its requests. Null means that it has no value. */
export interface Client {
  readonly habit: string;
  grant(parameters: Fields, credentials: Readonly<Record<string, string>>): RawCall;
  ride(trip: Fields, costToken: string | null): Fields;
  cancellation(token: string | null): Fields | undefined;
  move(status: string): Fields;
  rating(): Fields;
  /** The trip for the next ride: from the response, or the original trip. */
  again(ride: Fields, trip: Fields): Fields;
  /** The new destination: a place from the ride, or the given place. */
  elsewhere(ride: Fields, place: Fields): Fields;
  read(response: Response): Promise<Read>;
}

/** Sends only the fields that it has values for. */
const plain: Client = {
  habit: 'sends token requests as JSON and leaves out optional fields',
  grant: (parameters, headers) => ({ headers: { ...headers }, body: JSON.stringify(parameters) }),
  ride: (trip, costToken) => ({ ...trip, ...(costToken !== null && { cost_token: costToken }) }),
  cancellation: () => undefined,
  move: (status) => ({ status }),
  rating: () => ({ rating: 5, tip: { amount: 300, currency: 'USD' }, feedback: 'Thank you.' }),
  again: (_, trip) => trip,
  elsewhere: (_, place) => place,
  read: async (response) => {
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : JSON.parse(text),
      error: response.headers.get('error'),
      requestId: response.headers.get('Request-ID')!,
    };
  },
};

/** Sends every field, like a Go struct: zero values, and null for pointers. */
const zeros: Client = {
  ...plain,
  habit: 'sends each optional field as a zero value',
  grant: (parameters, headers) =>
    plain.grant({ scope: '', code: '', refresh_token: '', redirect_uri: null, ...parameters }, headers),
  ride: ({ origin, destination, ride_type }, costToken) => ({
    origin: { ...origin, address: null },
    destination: { ...destination, address: '' },
    ride_type,
    cost_token: costToken ?? '',
    primetime_confirmation_token: '',
  }),
  cancellation: (token) => ({ cancel_confirmation_token: token ?? '' }),
  move: (status) => ({ status, canceled_by: null }),
  rating: () => ({ rating: 5, tip: null, feedback: null }),
  elsewhere: (_, { lat, lng }) => ({ lat, lng, address: null }),
};

/** Sends the places from responses back to the server. */
const echoes: Client = {
  ...plain,
  habit: 'sends places back as it received them',
  ride: (trip, costToken) => ({ ...trip, cost_token: costToken }),
  cancellation: (token) => ({ cancel_confirmation_token: token }),
  again: ({ origin, destination }, { ride_type }) => ({ origin, destination, ride_type }),
  elsewhere: ({ pickup }) => pickup,
};

export const HABITS: readonly Client[] = [zeros, plain, echoes];
