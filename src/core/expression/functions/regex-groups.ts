import type { RE2JS } from '@bufbuild/re2';

type Program = ReturnType<RE2JS['re2']>['prog'];

// The instruction codes and conditions of a compiled RE2 program, as the port of RE2 numbers them.
const op = { alternative: 1, alternativeMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nop: 7 };
const empty = {
  beginLine: 0x01,
  endLine: 0x02,
  beginText: 0x04,
  endText: 0x08,
  wordBoundary: 0x10,
  noWordBoundary: 0x20,
};

/** One thread of the matcher: its instruction, and the bounds of its groups so far. */
interface Thread {
  readonly at: number;
  readonly bounds: readonly number[];
}

/**
 * Where the leftmost match and its first group begin and end. This is Pike's algorithm: it follows all threads in
 * parallel, the preferred one first, so that time grows with the text length times the pattern length. @bufbuild/re2
 * itself only reports whether a text matches.
 */
export function firstMatch(program: Program, text: string): readonly number[] | undefined {
  let threads: Thread[] = [];
  let found: readonly number[] | undefined;
  for (let at = 0; at <= text.length; ) {
    const code = text.codePointAt(at) ?? -1;
    const conditions = conditionsAt(text, at);
    const seen = new Set<number>();
    const open: Thread[] = [];
    for (const thread of threads) follow(program, thread, { at, conditions, seen, open });
    if (found === undefined) {
      follow(program, { at: program.start, bounds: [at, -1] }, { at, conditions, seen, open });
    }
    threads = [];
    for (const { at: place, bounds } of open) {
      const step = program.getInst(place);
      if (step.op === op.match) {
        found = [bounds[0] as number, at, ...bounds.slice(2)];
        break;
      }
      if (code >= 0 && step.matchRune(code)) threads.push({ at: step.out, bounds });
    }
    if (code < 0 || (found !== undefined && threads.length === 0)) break;
    at += code > 0xffff ? 2 : 1;
  }
  return found;
}

interface Moment {
  readonly at: number;
  readonly conditions: number;
  readonly seen: Set<number>;
  readonly open: Thread[];
}

/**
 * Adds every instruction that can be reached without reading a character. It uses an explicit stack because patterns
 * can be long.
 */
function follow(program: Program, from: Thread, moment: Moment): void {
  const stack = [from];
  for (let thread = stack.pop(); thread !== undefined; thread = stack.pop()) {
    const { at, bounds } = thread;
    if (moment.seen.has(at)) continue;
    moment.seen.add(at);
    const step = program.getInst(at);
    if (step.op === op.alternative || step.op === op.alternativeMatch) {
      stack.push({ at: step.arg, bounds }, { at: step.out, bounds });
    } else if (step.op === op.nop) stack.push({ at: step.out, bounds });
    else if (step.op === op.capture) {
      stack.push({ at: step.out, bounds: withBound(bounds, step.arg, moment.at) });
    } else if (step.op === op.emptyWidth) {
      if ((step.arg & ~moment.conditions) === 0) stack.push({ at: step.out, bounds });
    } else if (step.op !== op.fail) moment.open.push(thread);
  }
}

/** Only the first group is needed. */
function withBound(bounds: readonly number[], index: number, at: number): readonly number[] {
  if (index !== 2 && index !== 3) return bounds;
  const [start = -1, end = -1, groupStart = -1] = bounds;
  return index === 2 ? [start, end, at, -1] : [start, end, groupStart, at];
}

function conditionsAt(text: string, at: number): number {
  const [before, after] = [text[at - 1], text[at]];
  const boundary = isWord(before) !== isWord(after);
  return (
    (boundary ? empty.wordBoundary : empty.noWordBoundary) |
    (before === undefined ? empty.beginText | empty.beginLine : 0) |
    (before === '\n' ? empty.beginLine : 0) |
    (after === undefined ? empty.endText | empty.endLine : 0) |
    (after === '\n' ? empty.endLine : 0)
  );
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character);
}
