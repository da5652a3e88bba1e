import type {
  ConfigOf,
  PartialStateOf,
  PlannedOf,
  ProposedInput,
  ProposedOf,
  StateOf,
} from '../../protocol/schema/values-of.ts';
import type { hostSchema } from './schema.ts';

/** The values of a `rampart_host` at every stage. */
export type HostConfig = ConfigOf<typeof hostSchema>;
export type HostProposal = ProposedOf<typeof hostSchema>;
export type HostProposalInput = ProposedInput<typeof hostSchema>;
export type PlannedHost = PlannedOf<typeof hostSchema>;
export type HostState = StateOf<typeof hostSchema>;
export type PartialHostState = PartialStateOf<typeof hostSchema>;

/** What the provider remembers of a host beside its state. */
export interface HostMemory {
  /** When the anti-virus was asked for, in milliseconds since the epoch. */
  readonly antivirusAskedAt?: number;
}

export function memoryFrom(value: unknown): HostMemory {
  return typeof value === 'object' && value !== null ? value : {};
}
