/** Whether a response has a field: always, sometimes or never. */
export type Presence = 'required' | 'optional' | 'absent';

export const STATUSES = ['pending', 'accepted', 'arrived', 'pickedUp', 'droppedOff', 'canceled', 'unknown'] as const;
export type Status = (typeof STATUSES)[number];

const PRESENCES: Readonly<Record<string, Presence>> = { r: 'required', o: 'optional', '-': 'absent' };

/**
 * The specification's table of ride fields, with a column for each status in STATUSES. A row of a nested field applies
 * only if its parent is present.
 */
const TABLE = {
  ride_id: '                 r r r r r r r',
  status: '                  r r r r r r r',
  ride_type: '               r r r r r r r',
  origin: '                  r r r r r r r',
  'origin.lat': '            r r r r r r r',
  'origin.lng': '            r r r r r r r',
  'origin.address': '        r r r r r r r',
  'origin.eta_seconds': '    - r - - - - -',
  destination: '             o o o o o o o',
  'destination.lat': '       r r r r r r r',
  'destination.lng': '       r r r r r r r',
  'destination.address': '   r r r r r r r',
  'destination.eta_seconds': '- - - r - - -',
  pickup: '                  - - - r r o o',
  'pickup.lat': '            - - - r r r r',
  'pickup.lng': '            - - - r r r r',
  'pickup.address': '        - - - r r r r',
  'pickup.time': '           - - - r r r r',
  dropoff: '                 - - - - r - -',
  'dropoff.lat': '           - - - - r - -',
  'dropoff.lng': '           - - - - r - -',
  'dropoff.address': '       - - - - r - -',
  'dropoff.time': '          - - - - r - -',
  location: '                - r r r - - -',
  'location.lat': '          - r r r - - -',
  'location.lng': '          - r r r - - -',
  'location.bearing': '      - r r r - - -',
  passenger: '               r r r r r r r',
  driver: '                  - r r r r o o',
  vehicle: '                 - r r r r o o',
  beacon_color: '            - r r r r o o',
  primetime_percentage: '    r r r r r r r',
  distance_miles: '          - - - - r - -',
  duration_seconds: '        - - - - r - -',
  price: '                   - - - - o o -',
  line_items: '              - - - - o o -',
  charges: '                 - - - - o o -',
  requested_at: '            r r r r r r r',
  generated_at: '            r r r r r r r',
  ride_profile: '            r r r r r r r',
  pricing_details_url: '     r r r r r r r',
  // the specification has this only for rides that are shared or requested through the API, which all of ours are
  route_url: '               o o o o o o o',
  can_cancel: '              r r r r r r r',
  canceled_by: '             - - - - - r -',
  cancellation_price: '      - o o o - - -',
  rating: '                  - - - - o - -',
  feedback: '                - - - - o - -',
};

export interface Cell {
  /** A dot separates a nested field. */
  readonly field: string;
  readonly presence: Presence;
}

/** Returns the table's column for a status. */
export function fieldsOf(status: Status): Cell[] {
  const column = STATUSES.indexOf(status);
  return Object.entries(TABLE).map(([field, row]) => {
    const presence = PRESENCES[row.trim().split(' ')[column] ?? ''];
    if (presence === undefined) throw new Error(`The table has no cell for ${field} in the status ${status}.`);
    return { field, presence };
  });
}

/** Returns the field names of a ride, written as in the table. */
export function namesIn(ride: object): string[] {
  return Object.entries(ride).flatMap(([name, value]) =>
    Object.keys(TABLE).some((field) => field.startsWith(`${name}.`))
      ? [name, ...Object.keys(value).map((inner) => `${name}.${inner}`)]
      : [name],
  );
}

/** Reports whether the parent of a field is present. Only then does the table apply to the field. */
export function isReached(field: string, names: readonly string[]): boolean {
  const [outer, inner] = field.split('.');
  return inner === undefined || names.includes(outer!);
}
