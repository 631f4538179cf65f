/** What is set by hand about one city of a world. What is absent is as the city has it. */
export interface AreaSettings {
  /** Percent of the fare, whatever the hour; 0 for none. */
  readonly primeTimePercent?: number;
  /** The ride types that there are. */
  readonly rideTypes?: readonly string[];
  /** Ride types whose drivers are all away. */
  readonly withoutDrivers?: readonly string[];
}

/** Where the webhooks of a world go, and what goes wrong with them on the way. */
export interface WebhookSettings {
  /** Null: the URL of the application. */
  readonly url: string | null;
  /** What those to `url` are signed with; null without one. */
  readonly verificationToken: string | null;
  /** How many more times an attempt is made that arrives. */
  readonly duplicates: number;
  /** Seconds of the world's clock by which the first attempt is held back. */
  readonly holdSeconds: number;
  /** Whether every other event of a ride alone is held back, from the first on. */
  readonly reorder: boolean;
  /** How many of the first attempts of each event are not sent. */
  readonly dropFirst: number;
  readonly wrongSignature: boolean;
}

/** What is set by hand about a world. */
export interface WorldSettings {
  /** Whether calls are limited as the contract says. */
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

/** Of the live world always, and of a sandbox that nobody has changed. */
export const DEFAULT_SETTINGS: WorldSettings = { limits: true, areas: {}, webhooks: SOUND_WEBHOOKS };

/** What a world is like when it begins, and again after a reset. */
export interface WorldBeginning {
  /** What its clock shows first, world milliseconds UTC; null: the real time of then. */
  readonly now: number | null;
  readonly running: boolean;
  readonly autoAdvance: boolean;
  readonly limits: boolean;
}

/** How the sandbox begins that an application has from the start. */
export const DEFAULT_BEGINNING: WorldBeginning = { now: null, running: true, autoAdvance: false, limits: true };
