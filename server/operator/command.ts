import type { z } from 'zod';
import type { Audit, AuditEvent } from '../audit.ts';
import type { TargetRules } from '../parts.ts';
import type { Store } from '../store/open.ts';

/** What a command reads of the settings: those of the server that runs it, or of its own environment. */
export interface OperatorSettings {
  readonly databaseUrl: string;
  /** Null: the environment does not say. Only a command that makes a link needs it. */
  readonly publicUrl: string | null;
  readonly webhookTargets: TargetRules;
}

export interface OperatorParts extends Omit<OperatorSettings, 'databaseUrl'> {
  readonly store: Store;
  /** Real milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly audit: Audit;
}

/** Something that an operator can have done. It throws a Refusal, whose description the operator reads. */
export interface OperatorCommand<Input, Output> {
  readonly input: z.ZodType<Input>;
  readonly run: (parts: OperatorParts, input: Input) => Promise<Output>;
  /** What the audit trail says about a change; absent if nothing changes, or what `run` calls says it. */
  readonly audited?: (output: Output) => AuditEvent;
  /** Makes the database where there is none, as a server does: an operator begins with this command. */
  readonly makesDatabase?: true;
}

/** Infers the types of a command from its parts. */
export function operatorCommand<Input, Output>(
  command: OperatorCommand<Input, Output>,
): OperatorCommand<Input, Output> {
  return command;
}
