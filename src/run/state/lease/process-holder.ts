import { readHolder } from './lease-holder.ts';
import { describeProcess, hasDiedHere } from './this-process.ts';

/** Determines whether the work that another process has begun is still in progress; a text identifies a process. */
export interface ProcessHolder {
  readonly self: string;
  /** True if that is unknown, for example on another machine. */
  isAlive(holder: string): boolean;
}

/** This process as the holder of something since a time (RFC 3339). */
export function processHolder(since: string): ProcessHolder {
  return {
    self: JSON.stringify(describeProcess(since)),
    isAlive(text) {
      const holder = readHolder(text);
      return holder === undefined || !hasDiedHere(holder);
    },
  };
}
