import { ok } from '../../src/core/problem/problem.ts';
import type { Journal } from '../../src/run/state/journal/journal.ts';

/** A journal that only records its calls, in order. */
export function memoryJournal(): Journal & { readonly lines: readonly string[] } {
  const lines: string[] = [];
  return {
    runId: 'run-1',
    lines,
    async begin(step) {
      lines.push(`begin ${step.id}`);
      return ok(null);
    },
    async outcome(step, outcome) {
      lines.push(`${outcome} ${step}`);
    },
    async end(exitCode) {
      lines.push(`end ${exitCode}`);
      return ok(null);
    },
  };
}
