/** The tables of one kind of accounts: where its sessions and its known browsers are. */
export interface SignInTables {
  readonly sessions: 'sessions' | 'developerSessions';
  readonly devices: 'devices' | 'developerDevices';
  /** Those made in a session; null for accounts that make none. */
  readonly decisions: 'decisions' | null;
}

export const OF_PASSENGERS = { sessions: 'sessions', devices: 'devices', decisions: 'decisions' } as const;

export const OF_DEVELOPERS = {
  sessions: 'developerSessions',
  devices: 'developerDevices',
  decisions: null,
} as const satisfies SignInTables;

/** The tables' names for a query. Its types are those of passengers for both kinds, because the rows are the same. */
export function namesOf(tables: SignInTables): Pick<typeof OF_PASSENGERS, 'sessions' | 'devices'> {
  return tables as typeof OF_PASSENGERS;
}
