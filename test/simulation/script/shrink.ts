import type { Breach } from '../laws/judge.ts';
import { simulate } from '../simulate.ts';
import type { Script, TimedAct } from './script.ts';

/** A script with as few acts as possible that breaks the same law. */
export interface Shrunk {
  readonly script: Script;
  readonly breach: Breach;
}

/** Leaves out halves, quarters and single acts as long as the same law is broken. */
export async function shrink(script: Script, breach: Breach): Promise<Shrunk> {
  let best: Shrunk = { script, breach };
  const fails = async (acts: readonly TimedAct[]): Promise<boolean> => {
    const shorter = { ...script, acts };
    const outcome = await simulate(shorter);
    if (outcome.breach?.law !== breach.law) return false;
    best = { script: shorter, breach: outcome.breach };
    return true;
  };
  for (let size = Math.ceil(script.acts.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.script.acts.length; ) {
      const { acts } = best.script;
      const isShorter = await fails([...acts.slice(0, from), ...acts.slice(from + size)]);
      if (!isShorter) from += size;
    }
  }
  return best;
}
