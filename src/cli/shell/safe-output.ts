import { printable } from '../../core/lib/printable.ts';
import type { Redaction } from '../../core/lib/redaction.ts';
import { type Io, type Stream, writingWith } from './io.ts';

/**
 * Escape sequences that Rampart itself writes to terminals: the styles of `color.ts`, and those of the status line.
 */
const escape = '\u001b\\[';
const own = new RegExp(`(${escape}(?:1|2|22|3[1-69])m|\r${escape}K|[\n\t])`);

/**
 * Text that pipeline runners interpret as a command: `::name::` at the start of a line, and `##[name]` or `##vso[…]`
 * within it. No name of a command is empty or begins with a colon, so `:::`, which marks the second place of a problem,
 * is none.
 */
const commands = /^([^\S\r\n\u2028\u2029]*):(?=:(?!:))|#(?=#\w*\[)/gm;

/**
 * The last guard of text for people: control characters and pipeline commands from a file or the service are shown as
 * symbols, even if a command forgot to escape them.
 */
export function safeText(text: string, { isTerminal }: { readonly isTerminal: boolean }): string {
  const safe = text
    .split(own)
    .map((part, index) => (index % 2 === 1 && isOwn(part, isTerminal) ? part : printable(part)))
    .join('');
  return isTerminal ? safe : safe.replace(commands, hidden);
}

/** Line ends and tabs also go to files. Styles go there if FORCE_COLOR requests them, and do no harm otherwise. */
function isOwn(part: string, isTerminal: boolean): boolean {
  return !part.startsWith('\r') || isTerminal;
}

function hidden(match: string, blanks: string | undefined): string {
  return match.startsWith('#') ? '‹U+0023›' : `${blanks ?? ''}‹U+003A›`;
}

/** Data on stdout is unchanged unless a terminal shows it, because a file or a program reads it. */
export function safeIo(io: Io): Io {
  const guarded = (stream: Stream) => writingWith(stream, (text) => stream.write(safeText(text, stream)));
  return {
    ...io,
    stdout: io.stdout.isTerminal ? guarded(io.stdout) : io.stdout,
    stderr: guarded(io.stderr),
    prompt: (question) => io.prompt(safeText(question, io.stderr)),
  };
}

/**
 * The same input and output, without secrets on either stream. Text for a terminal was wrapped to its width before it
 * comes here.
 */
export function redactingIo(io: Io, { redact, redactLines }: Redaction): Io {
  const guarded = (stream: Stream) =>
    writingWith(stream, (text) => stream.write(stream.columns === null ? redact(text) : redactLines(text)));
  return { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr) };
}
