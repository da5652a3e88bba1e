import { quoted } from '../../lib/words.ts';
import { foldName } from '../../model/host-name.ts';
import type { Plan } from '../types/plan.ts';
import type { Step, StepId } from '../types/step.ts';
import type { Report } from './flaw.ts';
import type { Renaming, TouchedHost, TouchedHosts } from './touched-hosts.ts';

/** The renames of a plan, by the folded name that they give. */
export type GivenNames = ReadonlyMap<string, Renaming>;

/**
 * No two hosts ever have the same name, whatever order the dependencies allow: each name is given once, and only after
 * the hosts that have it have released it.
 */
export function checkNames({ steps, deleteFirst }: Plan, hosts: TouchedHosts, report: Report): GivenNames {
  const waits = waitsIn(steps);
  const given = new Map<string, Renaming>();
  for (const renaming of hosts.renames) {
    const { step, host } = renaming;
    const own = host.steps['temporary-rename'];
    if (step.kind === 'rename' && own !== undefined && !waits(step, own.id))
      report(step.id, `it does not wait for ${own.id}, which renames the same host`);
    const name = foldName(step.to);
    const other = given.get(name);
    if (other !== undefined)
      report(step.id, `it gives host ${host.id} the name ${quoted(step.to)}, which ${other.step.id} gives`);
    given.set(name, renaming);
  }
  // Lists have shown a name twice: each host that has it must leave it.
  for (const host of hosts.byId.values()) {
    const next = host.was === null ? undefined : given.get(host.was);
    if (next === undefined || next.host === host) continue;
    const { step } = next;
    const freed = freedBy(host, deleteFirst);
    if (freed === undefined)
      report(
        step.id,
        `it gives host ${next.host.id} the name ${quoted(step.to)}, which host ${host.id} keeps`,
      );
    else if (!waits(step, freed))
      report(step.id, `it does not wait for ${freed}, which frees the name ${quoted(step.to)}`);
  }
  return given;
}

/** The step after which a host no longer has its first name. Deletions at the end free it too late. */
function freedBy({ was, steps }: TouchedHost, deleteFirst: boolean): StepId | undefined {
  for (const step of [steps['temporary-rename'], steps.rename])
    if (step !== undefined && foldName(step.to) !== was) return step.id;
  return deleteFirst ? steps.delete?.id : undefined;
}

/** Does a step begin only after another one has ended? */
function waitsIn(steps: readonly Step[]): (step: Step, other: StepId) => boolean {
  let byId: ReadonlyMap<StepId, Step> | undefined;
  return ({ after }, other) => {
    if (after.includes(other)) return true;
    byId ??= new Map(steps.map((step) => [step.id, step]));
    const reached = new Set(after);
    for (const id of reached) {
      if (id === other) return true;
      for (const next of byId.get(id)?.after ?? []) reached.add(next);
    }
    return false;
  };
}
