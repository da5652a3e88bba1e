import { quoted } from '../../core/lib/words.ts';
import type { HostId, ObservedHost } from '../../core/model/observed.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { type Problem, problem, warning } from '../../core/problem/problem.ts';
import type { Circle, RenameIntent } from './rename-intent.ts';

/** Messages about renames through Terraform that did not happen. */

export function sameHostTwice({ hostId }: RenameIntent): Problem {
  return problem('host-claimed-twice', `two operations rename host ${hostId} at the same time`, {
    hint: 'let only one resource manage the name of the host',
    hostIds: [hostId],
  });
}

export function sameNameTwice(intent: RenameIntent, rival: HostId): Problem {
  return problem(
    'duplicate-name',
    `host ${intent.hostId} and host ${rival} both request the name ${quoted(intent.to)}, and names are unique in an account`,
    { hint: 'give one of them another name', hostIds: [intent.hostId, rival] },
  );
}

/** The owner keeps the intended name. */
export function nameTakenBy(intent: RenameIntent, host: ObservedHost, owner: ObservedHost): Problem {
  return problem(
    'name-conflict',
    `${titleOf(host)} can't become ${quoted(intent.to)}: host ${owner.id} has the name and keeps it`,
    { hint: `rename or remove host ${owner.id} first`, hostIds: [host.id, owner.id] },
  );
}

/** Nothing in a plan releases the name. Only a warning, because a resource that depends on this one is planned later. */
export function nameStaysTaken(
  intent: RenameIntent,
  host: ObservedHost,
  owner: ObservedHost,
  isForgotten: boolean,
): Problem {
  const why = isForgotten
    ? `this plan removes host ${owner.id} from the state only, so it stays in the account with its name`
    : `nothing in this plan renames or deletes host ${owner.id}`;
  return warning(
    'name-conflict',
    `${titleOf(host)} can't become ${quoted(intent.to)}: host ${owner.id} has the name, and ${why}`,
    {
      hint: `rename or delete host ${owner.id} first, or manage its name in this configuration. Otherwise, the apply changes the other hosts, and fails for host ${host.id} after max_wait. Ignore this warning if a resource that depends on this one renames or deletes host ${owner.id}, or with -parallelism=1`,
      hostIds: [host.id, owner.id],
    },
  );
}

/** Not every apply finds the record of the plan. */
export function exchangeOfMany(count: number): Problem {
  return warning(
    'blocked',
    `${count} hosts swap their names, which is more than Terraform changes at once by default`,
    {
      hint: `an apply orders these renames if it finds the record of this plan. The record is kept on this machine, for hosts that are in the state. In any other case, run terraform apply -parallelism=${count}, or manage these hosts with one rampart_fleet. To share the record with other machines, set state_dir`,
    },
  );
}

/** The change that would release the name has failed. */
export function ownerFailed(intent: RenameIntent, host: ObservedHost, owner: ObservedHost): Problem {
  return problem(
    'step-skipped',
    `${titleOf(host)} can't become ${quoted(intent.to)}: host ${owner.id} still has the name, because its own change failed${leftTemporaryName(host)}`,
    { hint: 'fix that change, then apply again', hostIds: [host.id, owner.id] },
  );
}

export interface Stall {
  /** The state of the owner's own change. */
  readonly ownerChange: 'not-come' | 'waits' | 'given-up';
  readonly waitedMs: number;
  readonly circle: Circle;
  /** How many hosts the account has. */
  readonly fleetSize: number;
}

/** No operation has made progress for a while, and the owner still has the name. */
export function heldUp(intent: RenameIntent, host: ObservedHost, owner: ObservedHost, stall: Stall): Problem {
  return problem(
    'blocked',
    `${titleOf(host)} can't become ${quoted(intent.to)} yet: host ${owner.id} has the name, and ${whyHeldUp(stall)}${leftTemporaryName(host)}`,
    {
      hint: hintFor(owner, stall),
      hostIds: [host.id, owner.id],
    },
  );
}

export function isHeldUp(problems: readonly Problem[]): boolean {
  return problems[0]?.code === 'blocked';
}

function whyHeldUp({ ownerChange, waitedMs }: Stall): string {
  switch (ownerChange) {
    case 'not-come':
      return `no change of that host was requested within ${seconds(waitedMs)}`;
    case 'waits':
      return 'the change of that host is waiting too';
    case 'given-up':
      return 'the change of that host has already timed out';
  }
}

function hintFor(owner: ObservedHost, { ownerChange, circle, fleetSize }: Stall): string {
  const unmanaged =
    ownerChange === 'not-come'
      ? `if nothing in this configuration renames or deletes host ${owner.id}, rename or remove it first. If this resource replaces host ${owner.id}, remove create_before_destroy from its lifecycle block. Otherwise, `
      : '';
  const { hosts, isWhole } = circle;
  const enough = isWhole
    ? `-parallelism=${hosts.size}, because ${hosts.size} hosts swap their names`
    : `-parallelism=${fleetSize}, which is enough for all hosts of the account (at least ${hosts.size} hosts must be renamed together)`;
  return (
    `${unmanaged}Terraform sends only a limited number of changes at once (10 by default), and these changes must run ` +
    `together: apply with ${enough}, or manage these hosts with one rampart_fleet`
  );
}

export function cancelled(intent: RenameIntent, host: ObservedHost | undefined): Problem {
  const left = host === undefined ? '' : leftTemporaryName(host);
  return problem(
    'interrupted',
    `the rename of host ${intent.hostId} to ${quoted(intent.to)} was cancelled before it was sent${left}`,
    { hint: 'apply again to continue', hostIds: [intent.hostId] },
  );
}

function leftTemporaryName({ name }: ObservedHost): string {
  return readTemporaryName(name) === undefined
    ? ''
    : `; it still has its temporary name ${quoted(name as string)}, and the next apply continues from there`;
}

function titleOf({ id, name }: ObservedHost): string {
  return name === null ? `host ${id}` : `host ${id} (${quoted(name)})`;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
