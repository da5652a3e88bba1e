import { isInt64 } from '../lib/int64.ts';

/** A host's id: a 64-bit signed integer in canonical decimal form, a string so that it is never rounded. */
export type HostId = string & { readonly __brand: 'HostId' };

export function toHostId(text: string): HostId | undefined {
  return isInt64(text) ? (text as HostId) : undefined;
}

/** A group's id in canonical decimal form. */
export type GroupId = string & { readonly __brand: 'GroupId' };

/** The service's group for hosts without a group; its name is null. */
export const ungroupedId = '-1' as GroupId;

export interface Group {
  readonly id: GroupId;
  readonly name: string | null;
}

/** The group that an entry requests: by name, by id, or null for no group. */
export type GroupIntent =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'id'; readonly id: GroupId }
  | { readonly kind: 'ungrouped' };

export function toGroupId(text: string): GroupId | undefined {
  return isInt64(text) ? (text as GroupId) : undefined;
}
