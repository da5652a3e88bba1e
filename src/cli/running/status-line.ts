import { cutToCells } from '../../core/lib/display-width.ts';
import { isAutomated } from '../../core/lib/pipeline-systems.ts';
import { type Io, type Stream, writingWith } from '../shell/io.ts';

/** A status line at the bottom of a terminal. Other output replaces it. */
export interface StatusLine {
  /**
   * Shown until the next text; an empty text removes it. The text must be safe to print, and is cut to the terminal's
   * width.
   */
  show(text: string): void;
}

/** The same streams, and a line below what they print. */
export function withStatusLine(io: Io): { readonly io: Io; readonly status: StatusLine } {
  let drawn = '';
  const clear = () => {
    if (drawn !== '') io.stderr.write('\r\u001b[K');
    drawn = '';
  };
  const above = (stream: Stream) =>
    writingWith(stream, (text) => {
      clear();
      stream.write(text);
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
        // The last column stays free, because some terminals wrap when it is written.
        const line = cutToCells(text, Math.max(1, (io.stderr.columns ?? 80) - 1));
        if (line === drawn) return;
        clear();
        if (line !== '') io.stderr.write(line);
        drawn = line;
      },
    },
  };
}

/** Is the output a terminal on which a line can be overwritten? */
export function isLiveTerminal({ env, stderr }: Io): boolean {
  return stderr.isTerminal && !isAutomated(env) && env['TERM'] !== 'dumb';
}
