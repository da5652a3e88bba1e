import type { Mutant } from './mutant.ts';

/**
 * The source with all its mutants in it, each behind a switch: `$mutant(7)` is true while number 7 is on.
 * Everything stays on its line.
 */
export function instrument(text: string, mutants: readonly (Mutant & { readonly id: number })[]): string {
  const places = Map.groupBy(mutants, ({ start, end }) => `${start}-${end}`);
  const spans = [...places.values()].map((group) => ({
    start: (group[0] as Mutant).start,
    end: (group[0] as Mutant).end,
    group,
  }));
  spans.sort((a, b) => a.start - b.start || b.end - a.end);

  let next = 0;
  function write(from: number, to: number): string {
    let out = '';
    let at = from;
    for (let span = spans[next]; span !== undefined && span.start < to; span = spans[next]) {
      next += 1;
      const choices = span.group.map(({ id, replacement }) => `$mutant(${id}) ? (${flat(replacement)}) : `);
      out += `${text.slice(at, span.start)}(${choices.join('')}(${write(span.start, span.end)}))`;
      at = span.end;
    }
    return out + text.slice(at, to);
  }
  return `${header}${write(0, text.length)}`;
}

/** Hoisted, so that modules that import each other in a circle find it; a child process asks its environment. */
const header =
  'function $mutant(id: number): boolean { return (globalThis as any).rampartMutant?.(id) ?? String(id) === process.env.RAMPART_MUTANT; } ';

/** Comments would hide the rest of the line. */
function flat(text: string): string {
  return text.includes('//') ? `${text}\n` : text;
}
