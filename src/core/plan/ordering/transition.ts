import type { GroupId, HostId } from '../../model/observed.ts';
import { isTemporaryNameFor, readTemporaryName } from '../../model/temporary-name.ts';
import {
  type Expectation,
  isNameStep,
  type MoveStep,
  type NameStep,
  type Step,
  type StepId,
} from '../types/step.ts';

/** What a plan intends for one host: its sequence of names, and its groups. */
export interface Transition {
  readonly expects: Expectation;
  readonly nameSteps: NameStep[];
  moveTo?: { readonly id: StepId; readonly groupId: GroupId; readonly step: MoveStep };
  installs?: StepId;
  refreshes?: StepId;
  deletes?: StepId;
}

export function collectTransitions(steps: readonly Step[]): ReadonlyMap<HostId, Transition> {
  const transitions = new Map<HostId, Transition>();
  const transitionOf = (expects: Expectation): Transition => {
    const known = transitions.get(expects.hostId);
    if (known !== undefined) return known;
    const transition: Transition = { expects, nameSteps: [] };
    transitions.set(expects.hostId, transition);
    return transition;
  };
  for (const step of steps) {
    if (isNameStep(step)) {
      transitionOf(step.expects).nameSteps.push(step);
      continue;
    }
    for (const { expects } of step.hosts) {
      const transition = transitionOf(expects);
      if (step.kind === 'move') transition.moveTo = { id: step.id, groupId: step.groupId, step };
      else if (step.kind === 'antivirus') transition.installs = step.id;
      else if (step.kind === 'refresh') transition.refreshes = step.id;
      else transition.deletes = step.id;
    }
  }
  return transitions;
}

/** Did the step give the host this name? A temporary name may have been cut to a length that the service accepts. */
export function isNameOf(step: NameStep, name: string | null): boolean {
  if (name === step.to) return true;
  if (step.kind === 'rename') return false;
  const temporary = readTemporaryName(name);
  const kind = step.why === 'deletion' ? 'deletion' : 'rename';
  return temporary !== undefined && isTemporaryNameFor(temporary, kind, step.hostId, step.finalName);
}

/** Is it a name that the plan expects or gives, or the temporary name of one of its hosts? */
export function isOnTheWay({ expects, nameSteps }: Transition, name: string | null): boolean {
  if (name === expects.name || nameSteps.some((step) => isNameOf(step, name))) return true;
  const temporary = readTemporaryName(name);
  return (
    temporary !== undefined &&
    nameSteps.some(
      (step) => step.kind === 'rename' && isTemporaryNameFor(temporary, 'rename', step.hostId, step.to),
    )
  );
}
