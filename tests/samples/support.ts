import type { OperationId } from '../../generated/server.ts';
import { type Contract, operationsOf } from '../../scripts/contract/bundle.ts';
import { contract } from '../../scripts/contract/read.ts';
import { sampleCallOf } from '../../scripts/generate/samples/call.ts';
import { type AcceptedCall, byPassenger, type Sample } from '../support/accepted-calls.ts';
import { OPERATION_FACTS } from '../support/operation-facts.ts';
import type { TestServer } from '../support/server.ts';

/** The fields whose values differ between the contract's examples and a world. */
const STORY_FIELDS = ['ride_id', 'event_id', 'token', 'cancel_confirmation_token'];
/** Calls that fit the samples. The accepted call of requestRide confirms Prime Time, but its sample does not. */
const SAMPLES_THAT_FIT: Partial<Record<OperationId, Sample>> = { requestRide: byPassenger() };

const located = new Map(operationsOf(contract).map((one) => [one.operation.operationId, one]));

export type Samples = Awaited<ReturnType<typeof samplesOf>>;

/** The samples in the contract that the server serves. They call this server. */
export async function samplesOf(server: TestServer) {
  const document = (await (await fetch(`${server.baseUrl}/openapi.json`)).json()) as Contract;
  const served = new Map(operationsOf(document).map((one) => [one.operation.operationId, one.operation]));
  const source = (id: OperationId, label: string): string =>
    served.get(id)!['x-codeSamples']!.find((sample) => sample.label === label)!.source;
  return {
    labels: (id: OperationId) => served.get(id)!['x-codeSamples']!.map(({ label }) => label),
    source,
    /** A sample with the values of a new world in place of the contract's examples, and a call with its credentials. */
    inNewWorld: async (id: OperationId, label: string) => {
      const call = await (SAMPLES_THAT_FIT[id] ?? OPERATION_FACTS[id].sample)(server);
      return { source: inThisWorld(id, source(id, label), call), call };
    },
  };
}

function inThisWorld(id: OperationId, source: string, { path = {}, body }: AcceptedCall): string {
  const sample = sampleCallOf(contract, located.get(id)!);
  const told = { ...sample.path, ...(sample.body as Record<string, unknown> | undefined) };
  const here: Record<string, unknown> = { ...(body && JSON.parse(String(body))), ...path };
  return STORY_FIELDS.filter((name) => name in told).reduce(
    (text, name) => text.replaceAll(String(told[name]), String(here[name])),
    source,
  );
}
