import { DEMO, DEMO_PASSENGERS } from '../../server/demo.ts';
import type { Passenger } from '../../server/domain/passenger.ts';
import { ACCOUNT_PATHS } from '../../server/links.ts';
import { findPassenger, updatePassenger } from '../../server/store/passengers.ts';
import { insertRide } from '../../server/store/rides.ts';
import { MAYA } from '../support/consent.ts';
import { newSession } from '../support/oauth.ts';
import { IN } from '../support/ride-in-status.ts';
import { LIVE, type TestServer } from '../support/server.ts';
import { newVisitor, type Visitor } from '../support/visitor.ts';

const MAYA_ID = DEMO_PASSENGERS[0]!.id;

/** Signs in Maya and opens a page of her account. */
export async function mayaAt(
  server: TestServer,
  path: string,
  traits: Parameters<typeof updatePassenger>[3] = {},
): Promise<Visitor> {
  if (Object.keys(traits).length > 0) await updatePassenger(server.store.db, LIVE.id, MAYA_ID, traits);
  const visitor = newVisitor(server.baseUrl);
  await visitor.open(path);
  await visitor.submit(MAYA, ACCOUNT_PATHS.signIn);
  return visitor;
}

/** A new browser at a page, with a session of a passenger. @param headers of every request */
export async function passengerAt(
  server: TestServer,
  passenger: Pick<Passenger, 'id'>,
  path: string,
  headers?: Readonly<Record<string, string>>,
): Promise<Visitor> {
  const visitor = newVisitor(server.baseUrl, headers);
  const [name = '', value = ''] = (await newSession(server, passenger)).split('=');
  visitor.cookies.set(name, value);
  await visitor.open(path);
  return visitor;
}

export async function storedMaya({ store }: Pick<TestServer, 'store'>): Promise<Passenger> {
  return (await findPassenger(store.db, LIVE.id, MAYA_ID))!;
}

/** Gives a passenger finished rides. @returns their ids, in the order of the requests */
export async function giveRides(
  { store }: Pick<TestServer, 'store'>,
  { id: passengerId }: Pick<Passenger, 'id'>,
  howMany: number,
  feedback = `She knew the Street of ${passengerId}`,
): Promise<string[]> {
  const { droppedOff } = IN;
  const rides = Array.from({ length: howMany }, (_, i) => ({
    ...droppedOff,
    areaId: 'san-francisco',
    worldId: LIVE.id,
    id: `${passengerId}-${String(i).padStart(4, '0')}`,
    applicationId: DEMO.clientId,
    passengerId,
    origin: { lat: 37.774912, lng: -122.419499, address: `Street of ${passengerId}` },
    requestedAt: droppedOff.requestedAt + Math.floor(i / 3),
    rating: { stars: 4, feedback, tip: null, at: droppedOff.lastEventAt },
  }));
  await store.transaction(async (tx) => {
    for (const ride of rides) await insertRide(tx, ride);
  });
  return rides.map(({ id }) => id);
}
