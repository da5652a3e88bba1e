import { sha256Hex } from '../../../core/lib/hash.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { DecidedHost } from '../../fleet/decided-hosts.ts';
import type { ProviderService } from '../service.ts';
import type { FleetConfig, FleetResourceState } from './fleet-values.ts';

const maxReported = 20;

/** Claims every host of a whole desired state, and reports those that another resource manages. */
export function claimHosts(
  decided: readonly DecidedHost[],
  { claims, names, session }: ProviderService,
  { config, prior }: { readonly config: FleetConfig; readonly prior: FleetResourceState | null },
): readonly Problem[] {
  const resource = `rampart_fleet ${sha256Hex(JSON.stringify(config))}`;
  const by = { resource, isStored: prior !== null };
  const rivalries = decided.flatMap(({ hostId, name, group, isToGo }): readonly Problem[] => {
    if (isToGo || (name !== undefined && session.hostNow(hostId)?.name !== name)) names.releases(hostId);
    const called = isToGo ? 'its deletion' : name;
    const named = called === undefined ? undefined : claims.claim(hostId, 'name', { intended: called, by });
    const grouped = group === undefined ? undefined : claims.claim(hostId, 'group', { intended: group, by });
    const unique = isToGo || name === undefined ? undefined : claims.claimName(hostId, name, by);
    return [named, unique, grouped].filter((each) => each !== undefined);
  });
  const all = [...rivalries, ...claims.ofOtherBlocks()];
  const more = all.slice(maxReported);
  return more.length === 0 ? all : [...all.slice(0, maxReported), andMore(more)];
}

function andMore(rivalries: readonly Problem[]): Problem {
  const hostIds = [...new Set(rivalries.flatMap((each) => each.hostIds ?? []))];
  return problem('host-claimed-twice', `another resource manages ${hostIds.length} more of these hosts`, {
    hint: 'let only one resource manage them',
    hostIds,
  });
}
