import { compareInt64 } from '../../lib/int64.ts';
import type { HostId } from '../../model/host-id.ts';

/** Orders ids as integers, so that a plan does not depend on the order of any list. */
export function compareHostIds(a: HostId, b: HostId): number {
  if (a === b) return 0;
  if (a.startsWith('-') || b.startsWith('-')) return compareInt64(a, b);
  return a.length - b.length || (a < b ? -1 : 1);
}
