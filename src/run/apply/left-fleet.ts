import type { HostId, Observed, ObservedHost } from '../../core/model/observed.ts';
import { isDoneOutcome } from '../../core/model/run-event.ts';
import type { Snapshot } from '../../core/model/snapshot.ts';
import { changedHosts, predict } from '../../core/plan/ordering/predict.ts';
import type { StepSummary } from '../../core/plan/types/run-summary.ts';
import { isNameStep, type Step } from '../../core/plan/types/step.ts';

/** The fleet after a run that could not read it again: the earlier read with all completed steps applied. */
export function leftFleet(before: Observed, steps: readonly StepSummary[]): Observed {
  return predict(before, steps.flatMap(donePart));
}

/** Where hosts live for a day, those that others deleted would fill the state. */
const mostDeleted = 10_000;

/**
 * Hosts that others changed or deleted since the run before, and that this run did not change: as the run before left them.
 * Of too many deleted hosts, only the latest are kept.
 * `saved` is what that run saved, `left` the fleet after this run.
 */
export function changedByOthers(
  { observed, earlier = [] }: Pick<Snapshot, 'observed' | 'earlier'>,
  left: Observed,
  steps: readonly StepSummary[],
): readonly ObservedHost[] {
  const kept = new Map(earlier.map((host) => [host.id, host]));
  const known = (id: HostId) => kept.get(id) ?? observed.byId(id);
  const changed = changedHosts(known, steps.flatMap(donePart));
  const hasAntivirus = [observed, left].every(({ lists }) =>
    lists.some(({ list }) => list === 'antivirus-details'),
  );
  const isSame = (before: number, now: number) =>
    observed.nameAt(before) === left.nameAt(now) &&
    observed.groupIdAt(before) === left.groupIdAt(now) &&
    !(hasAntivirus && differs(observed.at(before), left.at(now)));
  for (let at = 0; at < observed.count; at += 1) {
    const id = observed.idAt(at);
    const now = left.indexOf(id);
    if (!kept.has(id) && (now === -1 || !isSame(at, now))) kept.set(id, observed.at(at));
  }
  const changes = [...kept.values()].flatMap((host) => {
    const before = changed.has(host.id) ? changed.get(host.id) : host;
    if (before === undefined || before === null) return [];
    const now = left.byId(host.id);
    return now !== undefined && !differs(before, now) ? [] : [before];
  });
  const isDeleted = ({ id }: ObservedHost) => left.indexOf(id) === -1;
  const forgotten = new Set(changes.filter(isDeleted).slice(0, -mostDeleted));
  return changes.filter((host) => !forgotten.has(host));
}

/**
 * Of these hosts, those whose state in the fleet is not the requested one. `intended` is the fleet as the file requests
 * it.
 */
export function withoutIntended(
  earlier: readonly ObservedHost[],
  left: Observed,
  intended: Observed,
): readonly ObservedHost[] {
  return earlier.filter(({ id }) => {
    const now = left.byId(id);
    const asked = intended.byId(id);
    return now === undefined || asked === undefined || differs(asked, now);
  });
}

function differs(a: ObservedHost, b: ObservedHost): boolean {
  const isKnown = a.antivirus !== undefined && b.antivirus !== undefined;
  return (
    a.name !== b.name ||
    a.groupId !== b.groupId ||
    (isKnown && a.antivirus?.installed !== b.antivirus?.installed)
  );
}

function donePart({ step, outcome, failedHosts }: StepSummary): readonly Step[] {
  // An accepted install does not show anything about the host.
  if (step.kind === 'antivirus') return [];
  if (isDoneOutcome(outcome)) return [step];
  if (isNameStep(step) || failedHosts.length === 0) return [];
  if (outcome === 'skipped' || outcome === 'not-started') return [];
  const failed = new Set(failedHosts.map((each) => each.hostId));
  return [{ ...step, hosts: step.hosts.filter(({ hostId }) => !failed.has(hostId)) }];
}
