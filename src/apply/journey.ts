import type { GroupId } from '../model/group.ts';
import type { HostId } from '../model/host-id.ts';
import { isParkedFor, readParkedName } from '../model/parked-name.ts';
import type { Expectation, MoveStep, ParkStep, RenameStep, Step, StepId } from '../plan/plan.ts';

/** What a plan means for one host: the names it passes through, and the groups. */
export interface Journey {
  readonly expects: Expectation;
  readonly nameSteps: (RenameStep | ParkStep)[];
  moveTo?: { readonly id: StepId; readonly groupId: GroupId; readonly step: MoveStep };
  installs?: StepId;
  refreshes?: StepId;
  deletes?: StepId;
}

export function collectJourneys(steps: readonly Step[]): ReadonlyMap<HostId, Journey> {
  const journeys = new Map<HostId, Journey>();
  const journeyOf = (expects: Expectation): Journey => {
    const known = journeys.get(expects.hostId);
    if (known !== undefined) return known;
    const journey: Journey = { expects, nameSteps: [] };
    journeys.set(expects.hostId, journey);
    return journey;
  };
  for (const step of steps) {
    if (step.kind === 'rename' || step.kind === 'park') {
      journeyOf(step.expects).nameSteps.push(step);
      continue;
    }
    for (const { expects } of step.hosts) {
      const journey = journeyOf(expects);
      if (step.kind === 'move') journey.moveTo = { id: step.id, groupId: step.groupId, step };
      else if (step.kind === 'antivirus') journey.installs = step.id;
      else if (step.kind === 'refresh') journey.refreshes = step.id;
      else journey.deletes = step.id;
    }
  }
  return journeys;
}

/** Has the step given the host this name? A parked name may have been cut to what the service takes. */
export function isNameOf(step: RenameStep | ParkStep, name: string | null): boolean {
  if (name === step.to) return true;
  if (step.kind === 'rename') return false;
  const parked = readParkedName(name);
  const kind = step.why === 'doomed' ? 'gone' : 'wanted';
  return parked !== undefined && isParkedFor(parked, kind, step.hostId, step.standsFor);
}

/** Is it a name that the plan relies on or gives, or the one of a host that stepped aside on its way? */
export function isOnTheWay({ expects, nameSteps }: Journey, name: string | null): boolean {
  if (name === expects.name || nameSteps.some((step) => isNameOf(step, name))) return true;
  const parked = readParkedName(name);
  return (
    parked !== undefined &&
    nameSteps.some((step) => step.kind === 'rename' && isParkedFor(parked, 'wanted', step.hostId, step.to))
  );
}
