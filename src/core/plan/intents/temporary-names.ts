import type { Observed, ObservedHost } from '../../model/observed.ts';
import { readTemporaryName, type TemporaryName } from '../../model/temporary-name.ts';

export interface TemporarilyNamedHost {
  readonly host: ObservedHost;
  readonly temporary: TemporaryName;
}

/** Hosts that some run left under a temporary name. */
export type TemporaryNames = readonly TemporarilyNamedHost[];

export function indexTemporaryNames(observed: Observed): TemporaryNames {
  const found: TemporarilyNamedHost[] = [];
  for (const host of observed.withTemporaryNames()) {
    const temporary = readTemporaryName(host.name);
    if (temporary !== undefined) found.push({ host, temporary });
  }
  return found;
}
