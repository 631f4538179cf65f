import { digest, draws, pick } from './chance.ts';
import { FIRST_NAMES } from './first-names.ts';
import { sandboxId } from './ids.ts';
import { NEW_FLAGS, type Passenger } from './passenger.ts';
import type { World } from './worlds/clock.ts';

/** The passenger data that a sandbox can change. */
export type PassengerTraits = Omit<
  Passenger,
  'worldId' | 'id' | 'email' | 'passwordHash' | 'imageUrl' | 'hasTakenARide' | 'createdAt'
>;

/** A hash that no password matches: no one can sign in as a sandbox passenger. */
export const NO_PASSWORD = '';

/** The part of a sandbox from which its stand-ins are derived. */
export type StandInWorld = Pick<World, 'id' | 'seed'>;

// biome-ignore format: one name per line would fill a screen
const LAST_NAMES = [
  'Abe', 'Adeyemi', 'Alvarez', 'Andersen', 'Banerjee', 'Bauer', 'Castillo', 'Cohen', 'Costa', 'Dubois', 'Eze', 'Ferrari',
  'Fischer', 'Garcia', 'Haddad', 'Hansen', 'Ito', 'Jensen', 'Kaya', 'Kim', 'Kovacs', 'Larsen', 'Lopez', 'Mbeki', 'Mendes',
  'Moreau', 'Nakamura', 'Ncube', 'Novak', 'Park', 'Popescu', 'Rao', 'Rossi', 'Santos', 'Silva', 'Singh', 'Suzuki', 'Wang',
] as const;
/** Area codes whose numbers 555-0100 to 555-0199 are reserved for fiction. */
const AREA_CODES = ['206', '212', '312', '415'] as const;
/** Cards that payment providers publish for tests. */
const TEST_CARDS = [
  'American Express ending in 0005',
  'Discover ending in 1117',
  'Mastercard ending in 4444',
  'Visa ending in 1111',
] as const;

/** The traits of a live passenger's stand-in: fictional, the same for the same world and id, and able to ride. */
export function standInTraits({ seed }: StandInWorld, id: string) {
  const [first, last, stars, areaCode, number, card] = draws(6, seed, 'stand-in', id);
  return {
    firstName: pick(FIRST_NAMES, first),
    lastName: pick(LAST_NAMES, last),
    rating: (4.5 + Math.floor(stars * 5) / 10).toFixed(1),
    phoneNumber: `+1${pick(AREA_CODES, areaCode)}55501${String(Math.floor(number * 100)).padStart(2, '0')}`,
    phoneVerified: true,
    paymentMethod: pick(TEST_CARDS, card),
    ...NEW_FLAGS,
  } satisfies PassengerTraits;
}

/**
 * A live passenger's stand-in in a sandbox. It shares only the id with the live passenger, so that sandbox tokens
 * reveal nothing about a real person.
 * @param createdAt real milliseconds UTC
 */
export function standInOf(
  world: StandInWorld,
  id: string,
  portrait: (id: string) => string,
  createdAt: number,
): Passenger {
  const traits = standInTraits(world, id);
  const suffix = digest(world.seed, 'stand-in email', id).toString('hex', 0, 6);
  return {
    ...traits,
    worldId: world.id,
    id,
    email: `${traits.firstName}.${traits.lastName}.${suffix}@example.com`.toLowerCase(),
    passwordHash: NO_PASSWORD,
    // a different id: the live passenger's portrait is drawn from theirs
    imageUrl: portrait(sandboxId(world.seed, 'portrait', id)),
    createdAt,
  };
}
