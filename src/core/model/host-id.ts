import { isInt64 } from '../lib/int64.ts';

/** A host's id: a 64-bit signed integer in canonical decimal form, a string so that it is never rounded. */
export type HostId = string & { readonly __brand: 'HostId' };

export function toHostId(text: string): HostId | undefined {
  return isInt64(text) ? (text as HostId) : undefined;
}
