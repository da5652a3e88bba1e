import { formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import type { PlanFiles } from '../../../api/plans.ts';
import { decodeSource, type Source } from '../../../input/sources/decode-source.ts';

/** What a person may read, in characters. */
const longestPatch = 200_000;
const contextLines = 3;
/** The maximum time of a comparison, which delays all other requests, in milliseconds. */
const longestMs = 500;
/** Two texts that differ by more lines are two texts. */
const mostEdits = 2_000;

/** The difference between two versions of some files. */
export function compareFiles(
  before: ReadonlyMap<string, Pick<Source, 'file' | 'text'>>,
  after: ReadonlyMap<string, Pick<Source, 'file' | 'text'>>,
): NonNullable<PlanFiles['patch']> {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const deadline = performance.now() + longestMs;
  const incomplete: string[] = [];
  let text = '';
  let added = 0;
  let removed = 0;
  for (const name of names) {
    if (bufferOf(before.get(name))?.equals(bufferOf(after.get(name)) ?? empty) === true) continue;
    const [old, now] = [textOf(before.get(name)), textOf(after.get(name))];
    const patch =
      old === null || now === null
        ? undefined
        : structuredPatch(
            before.has(name) ? name : '/dev/null',
            after.has(name) ? name : '/dev/null',
            old,
            now,
            undefined,
            undefined,
            {
              context: contextLines,
              timeout: Math.max(1, deadline - performance.now()),
              maxEditLength: mostEdits,
            },
          );
    if (patch === undefined) {
      incomplete.push(name);
      continue;
    }
    added += linesWith('+', patch);
    removed += linesWith('-', patch);
    const printed = formatPatch(patch).replace(/^(?:Index: .*\n)?={3,}\n/, '');
    if (text.length + printed.length <= longestPatch) text += printed;
    else incomplete.push(name);
  }
  return { text, added, removed, incomplete };
}

function linesWith(sign: '+' | '-', { hunks }: StructuredPatch): number {
  return hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
}

const empty = Buffer.alloc(0);

function bufferOf(source: Pick<Source, 'text'> | undefined): Buffer | undefined {
  return source && (typeof source.text === 'string' ? Buffer.from(source.text) : Buffer.from(source.text));
}

/** Empty for a file that does not exist; null if it is not text. */
function textOf(source: Pick<Source, 'file' | 'text'> | undefined): string | null {
  if (source === undefined) return '';
  if (typeof source.text === 'string') return source.text;
  const decoded = decodeSource(source);
  return decoded.ok ? decoded.value.text : null;
}
