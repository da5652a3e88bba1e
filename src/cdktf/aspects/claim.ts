import { quoted } from '../../core/lib/words.ts';
import { knownText, type StackText } from './stack-text.ts';

/** The group that a stack requests. */
export type StackGroup =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'ungrouped' }
  | { readonly kind: 'later'; readonly expression: string };

interface Placed {
  /** The position in the content of a fleet: `fleet.yaml:3:5`. */
  readonly place?: string;
  /** The name in messages: `host 7`, `the host "BER-WEB-01"`. */
  readonly title: string;
}

/**
 * A stack's claims on one host: from a `rampart_host`, or an entry of a `rampart_fleet`. Absent members claim nothing.
 */
export interface HostClaim extends Placed {
  readonly kind: 'host';
  readonly id?: StackText;
  readonly name?: StackText;
  /** Other names that the host may have now. */
  readonly previously: readonly StackText[];
  readonly group?: StackGroup;
  /** `later`: only Terraform knows. */
  readonly antivirus: boolean | 'later';
  /** When the host is deleted; `later`: only Terraform knows. */
  readonly deletes: 'never' | 'now' | 'with its resource' | 'later';
  /** The address by which other resources of the same stack refer to it: `rampart_host.web`. */
  readonly address?: string;
}

/** The members of a group: from a `rampart_group_members`, or an exclusive group of a `rampart_fleet`. */
export interface MembersClaim extends Placed {
  readonly kind: 'members';
  readonly group: StackGroup;
  readonly hosts: readonly StackText[];
  /** Whether all other hosts are removed from the group, and their new group. */
  readonly exclusive: boolean | 'later';
  readonly othersTo: StackGroup;
}

/** A rule of a `rampart_fleet`. */
export interface RuleClaim extends Placed {
  readonly kind: 'rule';
  /** The hosts that it applies to; `some`: only a plan knows. */
  readonly hosts: 'all' | 'some' | readonly StackText[];
  readonly renames: boolean;
  readonly group?: StackGroup;
  readonly antivirus: boolean;
  readonly deletes: boolean;
}

/** A desired state that can't be read. */
export interface UnreadClaim extends Placed {
  readonly kind: 'unread';
  /** `later`: only Terraform knows the text. */
  readonly why: 'later' | { readonly problem: string };
}

export type StackClaim = HostClaim | MembersClaim | RuleClaim | UnreadClaim;

/** The name of a host in messages. */
export function titleOf(id: StackText | undefined, name: StackText | undefined): string {
  if (id?.kind === 'known') return `host ${id.text}`;
  const text = knownText(name);
  return text === undefined ? 'the host' : `the host ${quoted(text)}`;
}

export function isSameGroup(one: StackGroup | undefined, other: StackGroup): boolean {
  if (one?.kind === 'named') return other.kind === 'named' && one.name === other.name;
  if (one?.kind === 'id') return other.kind === 'id' && one.id === other.id;
  return one?.kind === 'ungrouped' && other.kind === 'ungrouped';
}
