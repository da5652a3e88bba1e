import { exactInteger } from '../../core/lib/exact-json.ts';
import { isInt64 } from '../../core/lib/int64.ts';

const connectionPath = /^\/public-api\/v1\/hosts\/([^/?]+)\/connections?(?:\?|$)/;

/**
 * The members in every error body of a path in addition to `message`: on the connection path always the id of the host
 * (specification section 7), or null if the path contains no host id.
 */
export function errorMembers(path: string): Readonly<Record<string, unknown>> {
  const id = connectionPath.exec(path)?.[1];
  if (id === undefined) return {};
  return { hostId: isInt64(id) ? exactInteger(id) : null };
}
