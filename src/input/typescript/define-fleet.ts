import type { Fleet, FleetHost, FleetRule } from './fleet.ts';
import { callerPlace } from './stack-place.ts';

/**
 * A desired state in TypeScript, checked by the compiler as it is typed. The file exports it:
 *
 *     import { defineFleet, host } from 'rampart';
 *
 *     export default defineFleet({
 *       hosts: sites.map((site) => host({ id: site.serverId, name: `${site.code}-WEB-01` })),
 *     });
 *
 * A function or a promise of a fleet is as good as the fleet.
 */
export function defineFleet(fleet: FleetSource): FleetSource {
  return fleet;
}

export type FleetSource = Fleet | Promise<Fleet> | (() => Fleet | Promise<Fleet>);

/** An entry that remembers the line where it was made, so that problems and `rampart explain` can show that line. */
export function host(entry: FleetHost): FleetHost {
  return located(entry, host);
}

/** The same for a rule. */
export function rule(entry: FleetRule): FleetRule {
  return located(entry, rule);
}

function located<T extends FleetHost | FleetRule>(entry: T, calledAs: (entry: never) => unknown): T {
  if (entry.source !== undefined) return entry;
  const source = callerPlace(calledAs);
  return source === undefined ? entry : { ...entry, source };
}
