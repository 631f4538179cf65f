/** A sandbox's settings for one city. An absent field means the city's default, but no Prime Time. */
export interface AreaSettings {
  /** Percent of the fare at all hours; 0: no Prime Time. */
  readonly primeTimePercent?: number;
  /** Whether Prime Time follows the city's hours. Not with `primeTimePercent`. */
  readonly hasPrimeTimeHours?: true;
  /** The only ride types offered. */
  readonly rideTypes?: readonly string[];
  /** Ride types without available drivers. */
  readonly withoutDrivers?: readonly string[];
}

/** A world's webhook URL, and the delivery faults to simulate. */
export interface WebhookSettings {
  /** Null: the application's URL for sandboxes. */
  readonly url: string | null;
  /** Signs the webhooks to `url`; null when `url` is null. */
  readonly verificationToken: string | null;
  /** How many times to repeat a successful attempt. */
  readonly duplicates: number;
  /** How long to delay the first attempt, in seconds of the world's clock. */
  readonly holdSeconds: number;
  /** Whether to delay only every other event of a ride, starting with the first. */
  readonly reorder: boolean;
  /** How many attempts of each event to drop, starting with the first. */
  readonly dropFirst: number;
  readonly wrongSignature: boolean;
}

export interface WorldSettings {
  /** Whether the contract's rate limits apply. */
  readonly limits: boolean;
  /** By the area's id. */
  readonly areas: Readonly<Record<string, AreaSettings>>;
  readonly webhooks: WebhookSettings;
}

export const SOUND_WEBHOOKS: WebhookSettings = {
  url: null,
  verificationToken: null,
  duplicates: 0,
  holdSeconds: 0,
  reorder: false,
  dropFirst: 0,
  wrongSignature: false,
};

/** The settings of the live world, and the default of a sandbox. */
export const DEFAULT_SETTINGS: WorldSettings = { limits: true, areas: {}, webhooks: SOUND_WEBHOOKS };

/** The state of a world when it is created, and after each reset. */
export interface WorldBeginning {
  /** The initial time of its clock, in world milliseconds UTC; null: the current real time. */
  readonly now: number | null;
  readonly running: boolean;
  readonly autoAdvance: boolean;
  readonly limits: boolean;
}

/** The initial state of an application's default sandbox. */
export const DEFAULT_BEGINNING: WorldBeginning = { now: null, running: true, autoAdvance: false, limits: true };
