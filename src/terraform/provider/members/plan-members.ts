import { count, firstFew, quoted } from '../../../core/lib/words.ts';
import type { GroupId, GroupIntent, HostId, Observed, ObservedHost } from '../../../core/model/observed.ts';
import { allowance } from '../../../core/model/policy.ts';
import type { GroupTarget } from '../../../core/plan/intents/groups.ts';
import { asWarning, ok, type Problem, problem, type Result, warning } from '../../../core/problem/problem.ts';
import { findLiveGroup } from '../../fleet/find-group.ts';
import { missingHost } from '../../fleet/find-host.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import { whyNotDeleted } from '../../fleet/why-not-deleted.ts';
import {
  type Diagnostic,
  hasErrorDiagnostics,
  type ProviderCall,
  warningDiagnostic,
} from '../../protocol/provider/call.ts';
import type { PlanInput, PlanReply } from '../../protocol/provider/resource.ts';
import { isPresent, isUnknown, knownOrNull } from '../../protocol/value/value.ts';
import { quotedText } from '../fleet/change-lines.ts';
import { groupIntentOf } from '../group-intent.ts';
import { factsOfHost } from '../host/host-facts.ts';
import { hostText } from '../host/planned-deletions.ts';
import { type ProviderService, type Rampart, toDiagnostics } from '../service.ts';
import { summarizeProblems } from '../summarize-problems.ts';
import { membersOf } from './members-of.ts';
import {
  desiredDigest,
  type MembersProposal,
  type MembersState,
  type MembersValues,
  membersMemoryFrom,
} from './members-values.ts';
import { type Moves, movesChanged } from './shown-moves.ts';

/**
 * Shows every host that is moved, and refuses hosts that are missing or claimed elsewhere, and numbers above the limit.
 */
export async function planMembers(
  change: PlanInput<MembersValues>,
  { client, signal }: ProviderCall<Rampart>,
): Promise<PlanReply<MembersValues>> {
  const { config, prior, planned } = change;
  const target = groupIntentOf(config);
  const naming = [config.group === null ? 'group_id' : 'group'];
  if (target === null) return prior === null ? {} : { requiresReplace: [naming] };
  if (!client.service.ok) return {};
  const service = client.service.value;
  const { session } = service;
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return { diagnostics: toDiagnostics(fleet.problems) };
  const group = groupOf(fleet.value, target, prior);
  const ofGroup = toDiagnostics(group.problems, naming);
  if (!group.ok) return { diagnostics: ofGroup };
  const replacing = prior !== null && prior.id !== group.value.id ? { requiresReplace: [naming] } : {};
  const listed = Array.isArray(config.host_ids) ? config.host_ids : [];
  const ids = listed.flatMap((id) => (isPresent(id) ? [id as HostId] : []));
  const resource = `rampart_group_members ${JSON.stringify(config)}`;
  const by = { resource, isStored: prior !== null };
  const faults = ids.flatMap((id): readonly Problem[] => {
    if (fleet.value.byId(id) === undefined)
      return [prior?.host_ids.includes(id) ? goneHost(fleet.value, id) : missingHost(id)];
    const contradiction = service.claims.claim(id, 'group', { intended: group.value.id, by });
    return contradiction === undefined ? [] : [contradiction];
  });
  const twice = service.claims.ofOtherBlocks();
  const reported = summarizeProblems(
    [...faults, ...twice],
    'Compare host_ids with the data source rampart_hosts.',
  );
  const diagnostics = [...ofGroup, ...toDiagnostics(reported, ['host_ids'])];
  if ((planned as unknown) === prior) return { diagnostics };
  const shown = { ...planned, id: group.value.id };
  if (isUnknown(config.host_ids) || ids.length < listed.length || isUnknown(config.mode)) {
    return { ...replacing, diagnostics: [...diagnostics, notKnownYet], planned: shown };
  }
  // Our own calls in this apply must not change the plan.
  const atFirst = session.observation.atFirst as Observed;
  const moves = plannedMoves(atFirst, {
    ids,
    prior,
    group: group.value.id,
    mode: planned.mode,
    enrolled: (id) => fleet.value.byId(id),
  });
  const limited = evictionDiagnostics(service, change, atFirst, {
    ids,
    evicts: Object.keys(moves.evicts) as HostId[],
    group: group.value,
  });
  const all = [...diagnostics, ...limited];
  if (hasErrorDiagnostics(all)) return { diagnostics: all };
  const approved = membersMemoryFrom(change.approved).shown;
  const changed = approved === undefined ? undefined : movesChanged(approved, moves);
  if (changed !== undefined) return { diagnostics: toDiagnostics([changed], ['host_ids']) };
  const remembered = { ...membersMemoryFrom(change.private), shown: moves };
  return { ...replacing, diagnostics: all, private: remembered, planned: { ...shown, ...moves } };
}

/**
 * The group of the configuration. A group that was renamed in the service keeps its id, and remains the group of the
 * resource.
 */
function groupOf(fleet: LiveFleet, target: GroupIntent, prior: MembersState | null): Result<GroupTarget> {
  const found = findLiveGroup(fleet, target);
  const { id, group: before = null } = prior ?? {};
  const kept = id === undefined ? undefined : fleet.groupById(id as GroupId);
  if (kept === undefined || before === null || kept.name === before || target.kind !== 'named') return found;
  if (found.ok && found.value.id !== kept.id) return found;
  const hint =
    found.ok || kept.name === null
      ? undefined
      : `set group to ${JSON.stringify(kept.name)}; until then, the resource keeps the group by its id`;
  return ok(kept, [
    warning(
      'unknown-group',
      `group ${kept.id} was renamed in the service, from ${quoted(before)} to ${kept.name === null ? 'no name' : quoted(kept.name)}`,
      hint === undefined ? {} : { hint },
    ),
  ]);
}

/** A host that was in the list of the latest apply. It fails no plan, because the other hosts do not depend on it. */
function goneHost(fleet: LiveFleet, id: HostId): Problem {
  const hidden = whyNotDeleted(fleet, id);
  if (hidden !== undefined) return asWarning(hidden);
  return warning('missing-host', `host ${id} is not in the account anymore`, {
    hint: 'remove it from host_ids',
    hostIds: [id],
  });
}

interface Membership {
  readonly ids: readonly HostId[];
  readonly prior: MembersState | null;
  readonly group: GroupId;
  readonly mode: MembersProposal['mode'];
  /** A host that is not in the first list. */
  readonly enrolled: (id: HostId) => ObservedHost | undefined;
}

/**
 * An authoritative state contains the members of the plan. A host that joined the group since then was not shown, and
 * is kept.
 */
function plannedMoves(fleet: Observed, { ids, prior, group, mode, enrolled }: Membership): Moves {
  const intended = new Set(ids);
  const members = membersOf(fleet, group);
  const stored = new Set(prior?.host_ids);
  const shown = prior?.mode === 'authoritative' ? stored : members;
  const evicted =
    mode === 'authoritative'
      ? [...shown].filter((id) => !intended.has(id as HostId) && fleet.byId(id as HostId) !== undefined)
      : [];
  return {
    joins: Object.fromEntries(
      [...intended]
        .filter((id) => !members.has(id) && !stored.has(id))
        .map((id) => {
          const host = fleet.byId(id) ?? enrolled(id);
          const from = host === undefined ? null : factsOfHost(host, fleet).group;
          return [id, `${shownName(host)} from ${from === null ? 'no group' : quotedText(from)}`];
        }),
    ),
    evicts: Object.fromEntries(evicted.map((id) => [id, shownName(fleet.byId(id as HostId))])),
  };
}

function shownName(host: ObservedHost | undefined): string {
  return host?.name ? quotedText(host.name) : 'a host without a name';
}

interface Evictions {
  /** The hosts that the group should have. */
  readonly ids: readonly HostId[];
  readonly evicts: readonly HostId[];
  readonly group: GroupTarget;
}

function evictionDiagnostics(
  { limits }: ProviderService,
  { config, prior, private: remembered }: PlanInput<MembersValues>,
  fleet: Observed,
  { ids, evicts, group }: Evictions,
): readonly Diagnostic[] {
  const evicted = evicts.length;
  const acks = isPresent(config.acks) ? config.acks : {};
  const isSpent =
    prior?.acks?.['evict'] === acks['evict'] &&
    membersMemoryFrom(remembered).approvedFor === desiredDigest(config, ids);
  const approved = isSpent ? null : (acks['evict'] ?? null);
  const refusal = evictionRefusal(evicted, allowance(limits.evict, fleet.count), knownOrNull(approved));
  return [
    ...(evicted === 0 ? [] : toDiagnostics([evictionWarning(evicts, fleet, group)], ['host_ids'])),
    ...(refusal === undefined ? [] : toDiagnostics([refusal], ['acks'])),
  ];
}

function evictionRefusal(evicted: number, allowed: number, approved: number | null): Problem | undefined {
  const hint = `check each host that the warning names, then approve exactly this number with acks = { evict = ${evicted} }`;
  if (approved !== null) {
    if (approved === evicted) return undefined;
    return problem(
      'ack-mismatch',
      `the plan removes ${count(evicted, 'host')} from the group, and acks approves ${approved}`,
      { hint: evicted === 0 ? 'remove evict from acks' : hint },
    );
  }
  if (evicted <= allowed) return undefined;
  return problem(
    'limit-exceeded',
    `the plan removes ${count(evicted, 'host')} from the group, and the limit is ${allowed}`,
    { hint },
  );
}

const listed = 20;

function evictionWarning(evicts: readonly HostId[], fleet: Observed, { id, name }: GroupTarget): Problem {
  const evicted = evicts.length;
  const texts = firstFew(evicts, listed, (host) => hostText(fleet.byId(host) ?? { id: host, name: null }));
  const called = name === null ? `group ${id}` : `group "${name}"`;
  return warning(
    'exclusive-group',
    `${count(evicted, 'host')} ${evicted === 1 ? 'leaves' : 'leave'} the ${called}`,
    {
      hint: `the mode is "authoritative", and host_ids does not list ${texts}. They are in no group afterwards`,
    },
  );
}

const notKnownYet = warningDiagnostic('This plan does not show which hosts the apply moves', {
  detail:
    'host_ids or mode depends on values that are known after the apply. The apply checks the limit of evictions before it sends anything. To see the hosts first, apply the resources that they depend on with -target, then plan again.',
  path: ['host_ids'],
});
