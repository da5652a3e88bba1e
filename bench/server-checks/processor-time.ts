import { readdirSync, readFileSync } from 'node:fs';

/** The processor time of a process in seconds, of all its threads. */
export function processorSeconds(pid: number | undefined): number {
  const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
  return (user + system) / 100;
}

/** The same for a process, those of its children that have ended, and those that are running. */
export function familySeconds(parent: number): number {
  const ended = statOf(parent).slice(13, 15).map(Number);
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(statOf(Number(name))[1]) === parent,
  );
  return [parent, ...children.map(Number)].reduce(
    (sum, pid) => sum + processorSeconds(pid),
    ended.reduce((sum, ticks) => sum + ticks, 0) / 100,
  );
}

/** The most memory that a process has had, in megabytes. */
export function peakMegabytes(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** The fields of a process after its name; none once it has ended. */
function statOf(pid: number | undefined): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
