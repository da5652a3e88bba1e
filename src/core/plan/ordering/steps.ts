import { inBatches } from '../../lib/in-chunks.ts';
import type { Desired } from '../../model/desired.ts';
import { foldAlike } from '../../model/host-name.ts';
import type { HostId, ObservedHost } from '../../model/observed.ts';
import type { HostDifference } from '../difference/compare.ts';
import { sortedByHostId } from '../difference/compare-hosts.ts';
import { type Claim, type Claimed, type Reasons, reasonsOf } from '../intents/claim.ts';
import type { GroupTarget } from '../intents/groups.ts';
import type { PendingHost } from '../intents/installs.ts';
import type { BatchMember, Expectation, Hazard, Reason, Step, StepId } from '../types/step.ts';
import type { OrderedRename } from './order.ts';

export interface StepInputs {
  readonly desired: Desired;
  readonly changes: readonly HostDifference[];
  /** Hosts that are asked to report because their install is in doubt. */
  readonly refreshes: readonly PendingHost[];
  changeOf(host: HostId): HostDifference | undefined;
  readonly renames: readonly OrderedRename[];
  readonly batchSize: number;
  readonly deleteFirst: boolean;
}

/** Every step of the plan, numbered in an order in which they can be executed one after another. */
export function makeSteps(inputs: StepInputs): readonly Step[] {
  const { changes } = inputs;
  const reasonFor = reasonsOf(inputs.desired);
  const steps: Step[] = [];
  const nextId = () => `s${steps.length + 1}` as StepId;
  /** The step after which a host no longer has its name: a temporary rename, a rename or a deletion. */
  const freed = new Map<HostId, StepId>();

  const addDeletions = () => {
    const toDelete = changes.filter((change) => change.delete);
    for (const part of inBatches(sortedByHost(toDelete), inputs.batchSize)) {
      const id = nextId();
      for (const each of part) freed.set(each.host.id, id);
      steps.push({
        kind: 'delete',
        id,
        after: [],
        hazards: ['irreversible'],
        hosts: part.map((change) => toMember(change, 'ensure', reasonFor)),
      });
    }
  };

  if (inputs.deleteFirst) addDeletions();
  for (const ordered of inputs.renames) {
    const id = nextId();
    const { name, ensure } = inputs.changeOf(ordered.host.id)?.claims ?? {};
    const reason = name === undefined ? reasonFor(ensure as Claim, 'ensure') : reasonFor(name, 'name');
    steps.push(nameStep(ordered, id, freed, reason));
    freed.set(ordered.host.id, id);
  }
  for (const [group, members] of byGroup(changes)) {
    for (const part of inBatches(members, inputs.batchSize)) {
      const hosts = part.map((change) => toMember(change, 'group', reasonFor));
      steps.push({
        kind: 'move',
        id: nextId(),
        after: [],
        hazards: [],
        groupId: group.id,
        groupName: group.name,
        hosts,
      });
    }
  }
  for (const part of inBatches(inputs.refreshes, inputs.batchSize)) {
    const hosts = part.map(({ host, claim }) => ({
      hostId: host.id,
      name: host.name,
      reason: reasonFor(claim, 'antivirus'),
      expects: expectationOf(host),
      hazards: none,
    }));
    steps.push({ kind: 'refresh', id: nextId(), after: [], hazards: [], hosts });
  }
  for (const part of inBatches(
    changes.filter((change) => change.antivirus),
    inputs.batchSize,
  )) {
    const hosts = part.map((change) => toMember(change, 'antivirus', reasonFor));
    steps.push({ kind: 'antivirus', id: nextId(), after: [], hazards: ['irreversible'], hosts });
  }
  if (!inputs.deleteFirst) addDeletions();
  return steps;
}

function nameStep(
  ordered: OrderedRename,
  id: StepId,
  freed: ReadonlyMap<HostId, StepId>,
  reason: Reason,
): Step {
  const { host, to } = ordered;
  const expects = expectationOf(host);
  if (ordered.kind === 'temporary-rename') {
    const { from, why, finalName } = ordered;
    return {
      kind: 'temporary-rename',
      id,
      hostId: host.id,
      to,
      reason,
      expects,
      from,
      why,
      finalName,
      after: none,
      hazards: none,
    };
  }
  const { from, waitsFor } = ordered;
  const after = waitsFor.map((hostId) => freed.get(hostId) as StepId);
  return {
    kind: 'rename',
    id,
    hostId: host.id,
    to,
    reason,
    expects,
    from,
    after,
    hazards: renameHazards(from, to),
  };
}

const none: readonly never[] = [];

function renameHazards(from: string | null, to: string): readonly Hazard[] {
  if (from === null) return ['no-previous-name'];
  return foldAlike(from, to) ? ['case-only'] : none;
}

function byGroup(
  changes: readonly HostDifference[],
): readonly (readonly [GroupTarget, readonly HostDifference[]])[] {
  const moves = sortedByHost(changes.filter(({ move }) => move !== undefined));
  const groups = [...Map.groupBy(moves, ({ move }) => move?.id).values()];
  return groups
    .map((members) => [members[0]?.move as GroupTarget, members] as const)
    .sort(([a], [b]) => (a.name ?? '').localeCompare(b.name ?? '', 'en') || (a.id < b.id ? -1 : 1));
}

function sortedByHost(changes: readonly HostDifference[]): readonly HostDifference[] {
  return sortedByHostId(changes, ({ host }) => host.id);
}

function toMember(
  { host, claims, delete: toDelete }: HostDifference,
  attribute: Claimed,
  reasonFor: Reasons,
): BatchMember {
  return {
    hostId: host.id,
    name: host.name,
    reason: reasonFor(claims[attribute] as Claim, attribute),
    expects: expectationOf(host),
    hazards: toDelete && host.online ? ['online'] : none,
  };
}

export function expectationOf(host: ObservedHost): Expectation {
  return { hostId: host.id, name: host.name, groupId: host.groupId };
}
