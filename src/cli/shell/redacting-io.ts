import type { Redaction } from '../../accounts/engine/redaction.ts';
import type { Io, Stream } from './io.ts';

/**
 * The same input and output, without secrets on either stream. Text for a terminal was wrapped to its width before it
 * comes here.
 */
export function redactingIo(io: Io, { redact, redactLines }: Redaction): Io {
  const guarded = (stream: Stream): Stream => ({
    isTerminal: stream.isTerminal,
    get columns() {
      return stream.columns;
    },
    write: (text) => stream.write(stream.columns === null ? redact(text) : redactLines(text)),
  });
  return { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr) };
}
