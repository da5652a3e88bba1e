import { readFileSync } from 'node:fs';

/** A process that has ended and that nobody has waited for counts as ended. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
