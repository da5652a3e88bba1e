import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { defined } from '../../../core/lib/defined.ts';
import { codeOf } from '../../../core/lib/error-code.ts';
import type { Origin } from '../journal/record.ts';
import { userName } from '../origin/read-origin.ts';
import type { LockHolder } from './lease-holder.ts';

/** Describes this process for a lock that it takes at `since` (RFC 3339). */
export function describeProcess(since: string, { actor, job }: Partial<Origin> = {}): LockHolder {
  const started = startOf(process.pid);
  return {
    pid: process.pid,
    machine: hostname(),
    user: userName(),
    since,
    ...defined({ started, actor, job }),
  };
}

/**
 * Is a process of this machine still running? `started` distinguishes it from a later one with the same number. A
 * process in another container is not visible from here, and counts as running.
 */
export function isProcessAlive(pid: number, started?: string): boolean {
  if (started !== undefined && !isOwnNamespace(namespaceOf(started))) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  const now = startOf(pid);
  return started === undefined || now === undefined || now === started;
}

/** Did this holder's process end on this machine? False if that is unknown, for example on another machine. */
export function hasDiedHere({ machine, pid, started }: LockHolder): boolean {
  return machine === hostname() && !isProcessAlive(pid, started);
}

/** Linux: the process namespace, the boot and the start in clock ticks since then, `pid:[4026531836]@6f5e…/81720`. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${readNamespace()}/${fields[startField]}`;
  } catch {
    return undefined;
  }
}

/** The start is field 22 of the line; the slice begins with field 3. */
const startField = 22 - 3;

function isOwnNamespace(namespace: string | undefined): boolean {
  try {
    return namespace === readNamespace();
  } catch {
    return namespace === undefined;
  }
}

/** Two machines with the same name may have namespaces with the same number, but never the same boot identifier. */
function readNamespace(): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${readlinkSync('/proc/self/ns/pid')}@${boot}`;
}

function namespaceOf(started: string): string | undefined {
  return started.split('/')[0];
}
