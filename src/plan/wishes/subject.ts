import type { Subject } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import type { Observed, ObservedHost } from '../../model/observed.ts';
import { isParkedFor, readParkedName } from '../../model/parked-name.ts';

/** A host as expressions see it. */
export function subjectOf(host: ObservedHost, observed: Observed, facts: Facts): Subject {
  return {
    host,
    name: standingName(host),
    group: observed.groupById(host.groupId)?.name ?? '',
    facts,
  };
}

/** A parked host is seen under the name that it stands for, so that rules find it again in the middle of a journey. */
function standingName(host: ObservedHost): string {
  if (host.name === null) return '';
  const parked = host.name.includes(' ~rampart') ? readParkedName(host.name) : undefined;
  return parked !== undefined && isParkedFor(parked, parked.kind, host.id, parked.shown)
    ? parked.shown
    : host.name;
}
