import { quoted } from '../../lib/quoted.ts';
import type { HostId } from '../../model/host-id.ts';
import { foldName } from '../../model/host-name.ts';
import type { Plan } from '../types/plan.ts';
import type { RenameStep, Step, StepId, TemporaryRenameStep } from '../types/step.ts';
import type { Report } from './flaw.ts';
import { firstRename, type TouchedHost, type TouchedHosts } from './touched-hosts.ts';

/** The renames of a plan, by the folded name that they give. */
export type GivenNames = ReadonlyMap<string, RenameStep | TemporaryRenameStep>;

/**
 * At no moment do two hosts have one name, in whatever order steps run that wait for no other: each name is given to one host,
 * and only after the hosts that have it have left it.
 */
export function checkNames({ steps, deleteFirst }: Plan, hosts: TouchedHosts, report: Report): GivenNames {
  const waits = waitsIn(steps);
  const holders = holdersOf(hosts);
  const given = new Map<string, RenameStep | TemporaryRenameStep>();
  for (const step of steps) {
    if (step.kind !== 'rename' && step.kind !== 'temporary-rename') continue;
    const { id, hostId, to } = step;
    const own = hosts.get(hostId)?.steps['temporary-rename'];
    if (step.kind === 'rename' && own !== undefined && !waits(step, own.id))
      report(id, `it does not wait for ${own.id}, which renames the same host`);
    const name = foldName(to);
    const other = given.get(name)?.hostId ?? hostId;
    if (other !== hostId)
      report(id, `it gives host ${hostId} the name ${quoted(to)}, which host ${other} gets`);
    given.set(name, step);
    for (const holder of holders.get(name) ?? none) {
      if (holder === hostId) continue;
      const freed = freedBy(hosts.get(holder) as TouchedHost, name, deleteFirst);
      if (freed === undefined)
        report(id, `it gives host ${hostId} the name ${quoted(to)}, which host ${holder} keeps`);
      else if (!waits(step, freed))
        report(id, `it does not wait for ${freed}, which frees the name ${quoted(to)}`);
    }
  }
  return given;
}

const none: readonly HostId[] = [];

/** The hosts that have a name before the plan, by the folded name. Lists have shown a name twice. */
function holdersOf(hosts: TouchedHosts): ReadonlyMap<string, readonly HostId[]> {
  const holders = new Map<string, readonly HostId[]>();
  for (const [id, { was }] of hosts) if (was !== null) holders.set(was, [...(holders.get(was) ?? none), id]);
  return holders;
}

/** The step after which a host no longer has its first name. Deletions at the end free it too late. */
function freedBy(host: TouchedHost, name: string, deleteFirst: boolean): StepId | undefined {
  const { 'temporary-rename': temporary, rename, delete: deletion } = host.steps;
  if (temporary !== undefined && foldName(temporary.to) !== name) return firstRename(host)?.id;
  if (rename !== undefined && foldName(rename.to) !== name) return rename.id;
  return deleteFirst ? deletion?.id : undefined;
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
