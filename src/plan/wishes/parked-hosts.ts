import type { Observed, ObservedHost } from '../../model/observed.ts';
import { type ParkedName, readParkedName } from '../../model/parked-name.ts';

export interface ParkedHost {
  readonly host: ObservedHost;
  readonly parked: ParkedName;
}

/** Hosts that some run left under a temporary name. */
export type ParkedHosts = readonly ParkedHost[];

export function indexParked(observed: Observed): ParkedHosts {
  const found: ParkedHost[] = [];
  for (const host of observed.naming(' ~rampart')) {
    const parked = readParkedName(host.name);
    if (parked !== undefined) found.push({ host, parked });
  }
  return found;
}
