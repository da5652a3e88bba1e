import { quoted } from '../../../core/lib/quoted.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { readTemporaryName } from '../../../core/model/temporary-name.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { Circle, RenameIntent } from './rename-intent.ts';

/** Why renames that came through Terraform did not happen, for those who read its output. */

export function sameHostTwice({ hostId }: RenameIntent): Problem {
  return problem('host-claimed-twice', `two operations rename host ${hostId} at once`, {
    hint: 'let one resource alone manage the name of the host',
    hostIds: [hostId],
  });
}

export function sameNameTwice(intent: RenameIntent, rival: HostId): Problem {
  return problem(
    'duplicate-name',
    `host ${intent.hostId} and host ${rival} are both to be called ${quoted(intent.to)}, and names are unique in an account`,
    { hint: 'give one of them another name', hostIds: [intent.hostId, rival] },
  );
}

/** The holder has come to rest with the name that is wanted. */
export function keptBy(intent: RenameIntent, host: ObservedHost, holder: ObservedHost): Problem {
  return problem(
    'name-conflict',
    `${called(host)} can't become ${quoted(intent.to)}: host ${holder.id} has the name, and keeps it`,
    { hint: `rename or remove host ${holder.id} first`, hostIds: [host.id, holder.id] },
  );
}

/** The holder was to leave the name, and that failed. */
export function holderFailed(intent: RenameIntent, host: ObservedHost, holder: ObservedHost): Problem {
  return problem(
    'step-skipped',
    `${called(host)} can't become ${quoted(intent.to)}: host ${holder.id} still has the name, as its own change failed${leftAside(host)}`,
    { hint: 'mend that change, then apply again', hostIds: [host.id, holder.id] },
  );
}

export interface Standstill {
  /** What the change of the holder does. */
  readonly holderChange: 'not-come' | 'waits' | 'given-up';
  readonly waitedMs: number;
  readonly circle: Circle;
  /** How many hosts the account has. */
  readonly fleetSize: number;
}

/** Nothing has moved for a while, and the holder does not leave the name. */
export function heldUp(
  intent: RenameIntent,
  host: ObservedHost,
  holder: ObservedHost,
  standstill: Standstill,
): Problem {
  return problem(
    'blocked',
    `${called(host)} can't become ${quoted(intent.to)} yet: host ${holder.id} has the name, and ${whyHeldUp(standstill)}${leftAside(host)}`,
    {
      hint: hintFor(holder, standstill),
      hostIds: [host.id, holder.id],
    },
  );
}

function whyHeldUp({ holderChange, waitedMs }: Standstill): string {
  switch (holderChange) {
    case 'not-come':
      return `no change of that host has come in ${seconds(waitedMs)}`;
    case 'waits':
      return 'the change of that host waits itself';
    case 'given-up':
      return 'the change of that host has waited in vain before';
  }
}

function hintFor(holder: ObservedHost, { holderChange, circle, fleetSize }: Standstill): string {
  const unmanaged =
    holderChange === 'not-come'
      ? `if nothing in this configuration renames or deletes host ${holder.id}, rename or remove it first; else `
      : '';
  const { hosts, isWhole } = circle;
  const enough = isWhole
    ? `-parallelism=${hosts.size}, as ${hosts.size} hosts pass their names on to one another`
    : `-parallelism=${fleetSize}, which is enough for all hosts of the account (at least ${hosts.size} belong together here)`;
  return (
    `${unmanaged}Terraform sends only so many changes at once (10 where nobody says more), and these have to come ` +
    `together: apply with ${enough}, or describe these hosts in one rampart_fleet`
  );
}

export function cancelled(intent: RenameIntent, host: ObservedHost | undefined): Problem {
  const aside = host === undefined ? '' : leftAside(host);
  return problem(
    'interrupted',
    `the rename of host ${intent.hostId} to ${quoted(intent.to)} was cancelled before it was sent${aside}`,
    { hint: 'apply again to go on', hostIds: [intent.hostId] },
  );
}

function leftAside({ name }: ObservedHost): string {
  return readTemporaryName(name) === undefined
    ? ''
    : `; it is left under its temporary name ${quoted(name as string)}, and the next apply goes on from there`;
}

function called({ id, name }: ObservedHost): string {
  return name === null ? `host ${id}` : `host ${id} (${quoted(name)})`;
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
}
