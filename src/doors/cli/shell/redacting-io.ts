import type { Redaction } from '../../../control/engine/redaction.ts';
import type { Io, Stream } from './io.ts';

/** The same input and output, without secrets on either stream. */
export function redactingIo(io: Io, { redact }: Redaction): Io {
  const guarded = (stream: Stream): Stream => ({
    isTerminal: stream.isTerminal,
    get columns() {
      return stream.columns;
    },
    write: (text) => stream.write(redact(text)),
  });
  return { ...io, stdout: guarded(io.stdout), stderr: guarded(io.stderr) };
}
