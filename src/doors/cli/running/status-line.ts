import { cutToCells } from '../../../core/lib/display-width.ts';
import type { Io, Stream } from '../shell/io.ts';

/** One line at the foot of a terminal that is written over: whatever else is printed takes its place. */
export interface StatusLine {
  /** Shown until the next text; an empty one takes it away. Safe to print, and cut to the terminal. */
  show(text: string): void;
}

/** The same streams, and a line below what they print. */
export function withStatusLine(io: Io): { readonly io: Io; readonly status: StatusLine } {
  let drawn = '';
  const clear = () => {
    if (drawn !== '') io.stderr.write('\r\u001b[K');
    drawn = '';
  };
  const above = (stream: Stream): Stream => ({
    isTerminal: stream.isTerminal,
    get columns() {
      return stream.columns;
    },
    write(text) {
      clear();
      stream.write(text);
    },
  });
  return {
    io: {
      ...io,
      stderr: above(io.stderr),
      stdout: io.stdout.isTerminal ? above(io.stdout) : io.stdout,
      prompt: (question) => {
        clear();
        return io.prompt(question);
      },
    },
    status: {
      show(text) {
        // The last column stays free: some terminals go to the next line when it is written.
        const line = cutToCells(text, Math.max(1, (io.stderr.columns ?? 80) - 1));
        if (line === drawn) return;
        clear();
        if (line !== '') io.stderr.write(line);
        drawn = line;
      },
    },
  };
}

/** Is there somebody who sees a line being written over? */
export function isLiveTerminal({ env, stderr }: Io): boolean {
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return stderr.isTerminal && !isCi && env['TERM'] !== 'dumb';
}
