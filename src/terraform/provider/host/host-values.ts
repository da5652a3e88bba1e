import type { HostId } from '../../../core/model/observed.ts';
import type { InstallMemory } from '../../fleet/plan-fleet.ts';
import type { AsPlanned } from '../../fleet/since-plan.ts';
import type { ResourceValuesOf } from '../../protocol/provider/resource.ts';
import type {
  ConfigOf,
  PartialStateOf,
  PlannedOf,
  ProposedInput,
  ProposedOf,
  StateOf,
} from '../../protocol/schema/values-of.ts';
import type { hostSchema } from './schema.ts';
import type { ShownAdoption } from './shown-adoption.ts';

/** The values of a `rampart_host` at every stage. */
export type HostValues = ResourceValuesOf<typeof hostSchema>;
export type HostConfig = ConfigOf<typeof hostSchema>;
export type HostProposal = ProposedOf<typeof hostSchema>;
export type HostProposalInput = ProposedInput<typeof hostSchema>;
export type PlannedHostState = PlannedOf<typeof hostSchema>;
export type HostResourceState = StateOf<typeof hostSchema>;
export type PartialHostState = PartialStateOf<typeof hostSchema>;

/** What the provider stores for a host in addition to its state. */
export interface HostMemory extends InstallMemory {
  /**
   * Only in a plan: the host that is replaced. Terraform does not announce a replacement, but plans a second time, as
   * for a new resource, and passes this value on.
   */
  readonly replaces?: { readonly hostId: HostId; readonly onDestroy: string };
  /** The token of the plan that read the resource, or else of the apply that stored it. */
  readonly plan?: string;
  /** Only in a plan: what it shows of the host that the resource adopts. */
  readonly shown?: ShownAdoption;
  /** In a plan only: the host that is deleted, as the plan showed it; null if it is deleted already. */
  readonly deletes?: AsPlanned | null;
}

/** Null before the first apply. */
export function memoryFrom(value: unknown): HostMemory {
  return value ?? {};
}
