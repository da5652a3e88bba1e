import type { HostId } from '../../../core/model/host-id.ts';
import type { AsPlanned } from '../../fleet/since-plan.ts';
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

/** What the provider stores for a host in addition to its state. */
export interface HostMemory {
  /** When the anti-virus install was requested, in milliseconds since the epoch. */
  readonly antivirusAskedAt?: number;
  /** When an install may have been requested without acknowledgement, in milliseconds since the epoch. */
  readonly antivirusInDoubtAt?: number;
  /** When a status refresh was delivered to the host afterwards. */
  readonly antivirusRefreshedAt?: number;
  /**
   * Only in a plan: the host that is replaced. Terraform does not announce a replacement, but plans a second time, as
   * for a new resource, and passes this value on.
   */
  readonly replaces?: { readonly hostId: HostId; readonly onDestroy: string };
  /** Only in a plan: what is remembered of the host that the resource adopts, because another resource had it before. */
  readonly adopts?: { readonly hostId: HostId; readonly memory: HostMemory };
  /** In a plan only: the host that is deleted, as the plan showed it; null if it is deleted already. */
  readonly deletes?: AsPlanned | null;
}

/** Null before the first apply. */
export function memoryFrom(value: unknown): HostMemory {
  return value ?? {};
}

/** The part of it that is stored. */
export function lastingMemory({
  antivirusAskedAt,
  antivirusInDoubtAt,
  antivirusRefreshedAt,
}: HostMemory): HostMemory {
  return {
    ...(antivirusAskedAt === undefined ? {} : { antivirusAskedAt }),
    ...(antivirusInDoubtAt === undefined ? {} : { antivirusInDoubtAt }),
    ...(antivirusRefreshedAt === undefined ? {} : { antivirusRefreshedAt }),
  };
}
