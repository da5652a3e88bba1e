import type { HostId } from '../../model/host-id.ts';
import type { WriteAction } from '../../model/write-action.ts';
import { hasErrors } from '../../problem/problem.ts';
import { pendingCounts } from '../intents/pending-installs.ts';
import { type Plan } from '../types/plan.ts';
import { actionOf, type Expectation, type Step, type StepId, type StepKind } from '../types/step.ts';

/**
 * How a plan contradicts its own steps or problems; undefined if it does not. A checksum can't replace this check: anyone
 * who edits a plan can also compute a checksum.
 */
export function disagreement(plan: Plan): string | undefined {
  const { steps, summary, calls, applicable, problems } = plan;
  const step = contradictoryStep(steps);
  if (step !== undefined) return `the step ${step} contradicts the steps before it or its own hosts`;
  const sums = { ...changesOf(steps), ...pendingCounts(plan.pendingInstalls) };
  const kinds = Object.keys(sums) as readonly (keyof typeof sums)[];
  if (kinds.some((kind) => summary[kind] !== sums[kind])) return doesNotMatch('summary');
  const byAction: Record<WriteAction, number> = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  for (const { kind } of steps) byAction[actionOf(kind)] += 1;
  const actions = Object.keys(byAction) as readonly WriteAction[];
  const isCounted = actions.every((action) => calls.byAction[action] === byAction[action]);
  if (!isCounted || calls.planned !== steps.length || calls.minimum > calls.planned)
    return doesNotMatch('calls');
  return applicable === hasErrors(problems) ? doesNotMatch('applicable') : undefined;
}

function doesNotMatch(member: string): string {
  return `"${member}" does not match the steps and problems of the plan file`;
}

/** What the steps so far say about one host. */
interface HostSteps {
  readonly expects: Expectation;
  /** Its name after them. */
  name: string | null;
  readonly kinds: Set<StepKind>;
}

/**
 * The first step that waits for no earlier step, or that expects another state of a host than it changes or than the
 * steps before it do: the read before the first write would compare the wrong host, or a step would never start.
 */
function contradictoryStep(steps: readonly Step[]): StepId | undefined {
  const earlier = new Set<StepId>();
  const hosts = new Map<HostId, HostSteps>();
  for (const step of steps) {
    const waits = !earlier.has(step.id) && step.after.every((id) => earlier.has(id));
    const isRename = step.kind === 'rename' || step.kind === 'temporary-rename';
    const parts = isRename ? [{ ...step, name: step.expects.name }] : step.hosts;
    if (!waits || !parts.every((part) => agrees(part, step, hosts))) return step.id;
    earlier.add(step.id);
  }
  return undefined;
}

interface HostPart {
  readonly hostId: HostId;
  readonly name: string | null;
  readonly expects: Expectation;
}

/** A host that is deleted gets a temporary name at most. */
const kindsOfDeleted: ReadonlySet<StepKind> = new Set(['temporary-rename', 'delete']);

/** Remembers the part of the host in the step. */
function agrees({ hostId, name, expects }: HostPart, step: Step, hosts: Map<HostId, HostSteps>): boolean {
  const known = hosts.get(hostId) ?? { expects, name: expects.name, kinds: new Set<StepKind>() };
  hosts.set(hostId, known);
  const { groupId } = known.expects;
  if (expects.hostId !== hostId || expects.groupId !== groupId) return false;
  if (expects.name !== known.expects.name || name !== expects.name) return false;
  const isRepeated = known.kinds.has(step.kind);
  known.kinds.add(step.kind);
  if (known.kinds.has('delete') && ![...known.kinds].every((kind) => kindsOfDeleted.has(kind))) return false;
  if (step.kind !== 'rename' && step.kind !== 'temporary-rename') return !isRepeated;
  if (step.from !== known.name) return false;
  known.name = step.to;
  return true;
}

function changesOf(steps: readonly Step[]): Readonly<Record<ReturnType<typeof summaryKeyOf>, number>> {
  const changes = { rename: 0, temporaryRename: 0, move: 0, antivirus: 0, refresh: 0, delete: 0 };
  for (const step of steps) changes[summaryKeyOf(step.kind)] += 'hosts' in step ? step.hosts.length : 1;
  return changes;
}

/** The member of a summary that counts the steps of a kind. */
function summaryKeyOf(kind: StepKind) {
  return kind === 'temporary-rename' ? 'temporaryRename' : kind;
}
