import { printable } from '../../../core/lib/printable.ts';
import type { Io, Stream } from './io.ts';

/** What Rampart itself writes to terminals: the styles of `colour.ts`, and the return of the status line. */
const escape = '\u001b\\[';
const own = new RegExp(`(${escape}(?:1|2|22|3[1-69])m|\r${escape}K|[\n\t])`);
/** What runners of pipelines take for a command: `::name::` that begins a line, and `##[name]` or `##vso[…]` in it. */
const commands = /^(\s*):(?=:)|#(?=#\w*\[)/gm;

/**
 * The last guard of text for people: control characters and commands of pipelines that came in from a file or the service
 * are shown as symbols, whatever the command that prints them forgot.
 */
export function safeText(text: string, { isTerminal }: { readonly isTerminal: boolean }): string {
  const safe = text
    .split(own)
    .map((part, index) => (index % 2 === 1 && isOwn(part, isTerminal) ? part : printable(part)))
    .join('');
  return isTerminal ? safe : safe.replace(commands, hidden);
}

/** Line ends and tabs also go to files. Styles do where FORCE_COLOR asks for them, and do no harm elsewhere. */
function isOwn(part: string, isTerminal: boolean): boolean {
  return !part.startsWith('\r') || isTerminal;
}

function hidden(match: string, blanks: string | undefined): string {
  return match.startsWith('#') ? '‹U+0023›' : `${blanks ?? ''}‹U+003A›`;
}

/** What is data on stdout stays as it is unless a terminal shows it: a file or a program reads it. */
export function safeIo(io: Io): Io {
  const guarded = (stream: Stream): Stream => ({
    isTerminal: stream.isTerminal,
    get columns() {
      return stream.columns;
    },
    write: (text) => stream.write(safeText(text, stream)),
  });
  return {
    ...io,
    stdout: io.stdout.isTerminal ? guarded(io.stdout) : io.stdout,
    stderr: guarded(io.stderr),
    prompt: (question) => io.prompt(safeText(question, io.stderr)),
  };
}
