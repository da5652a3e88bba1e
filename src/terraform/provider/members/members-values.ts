import { sha256Hex } from '../../../core/lib/hash.ts';
import type { ResourceValuesOf } from '../../protocol/provider/resource.ts';
import type { ConfigOf, PlannedOf, ProposedOf, StateOf } from '../../protocol/schema/values-of.ts';
import type { membersSchema } from './members-schema.ts';
import type { Moves } from './shown-moves.ts';

/** The values of a `rampart_group_members` at every stage. */
export type MembersValues = ResourceValuesOf<typeof membersSchema>;
export type MembersConfig = ConfigOf<typeof membersSchema>;
export type MembersProposal = ProposedOf<typeof membersSchema>;
export type PlannedMembers = PlannedOf<typeof membersSchema>;
export type MembersState = StateOf<typeof membersSchema>;

/** What the provider stores in addition to the state. */
export interface MembersMemory {
  /** The intent when the latest approval was used. The approval is not valid again for the same list. */
  readonly approvedFor?: string;
  /** Only in a plan: the moves that it shows. */
  readonly shown?: Moves;
}

/** Null before the first apply. */
export function membersMemoryFrom(value: unknown): MembersMemory {
  return value ?? {};
}

/** Identifies the intent of an approval, as text. */
export function desiredDigest(
  { group, group_id, mode }: Pick<MembersConfig | PlannedMembers, 'group' | 'group_id' | 'mode'>,
  ids: readonly string[],
): string {
  const hosts = ids.toSorted((a, b) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify({ group, group_id, mode, hosts }));
}
