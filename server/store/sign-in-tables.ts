/** The tables for one kind of account: its sessions and known browsers. */
export interface SignInTables {
  readonly sessions: 'sessions' | 'developerSessions';
  readonly devices: 'devices' | 'developerDevices';
  /** Decisions made in a session; null for accounts that make none. */
  readonly decisions: 'decisions' | null;
}

export const OF_PASSENGERS = { sessions: 'sessions', devices: 'devices', decisions: 'decisions' } as const;

export const OF_DEVELOPERS = {
  sessions: 'developerSessions',
  devices: 'developerDevices',
  decisions: null,
} as const satisfies SignInTables;

/** The table names for a query. Both kinds use the types of the passenger tables, because the rows are identical. */
export function namesOf(tables: SignInTables): Pick<typeof OF_PASSENGERS, 'sessions' | 'devices'> {
  return tables as typeof OF_PASSENGERS;
}
