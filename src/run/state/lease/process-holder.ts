import { hostname } from 'node:os';
import { readHolder } from './lease-holder.ts';
import { describeProcess, isProcessAlive } from './this-process.ts';

/** Tells whether what another process has begun is still at work; a text names a process. */
export interface ProcessHolder {
  readonly self: string;
  /** True if that can't be told, as on another machine. */
  isAlive(holder: string): boolean;
}

/** This process, as it holds something from a time on (RFC 3339). */
export function processHolder(since: string): ProcessHolder {
  return {
    self: JSON.stringify(describeProcess(since)),
    isAlive(text) {
      const holder = readHolder(text);
      return (
        holder === undefined || holder.machine !== hostname() || isProcessAlive(holder.pid, holder.started)
      );
    },
  };
}
