import type { Io, Stream } from './io.ts';

/** The last guard: whatever is printed, the secrets of this process are taken out of it. */
export interface Redaction {
  /** From now on these are never shown. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly redact: (text: string) => string;
}

const replacement = '[secret]';
/** Shorter ones would turn ordinary words into `[secret]`. */
const shortest = 6;

export function createRedaction(): Redaction {
  const needles = new Set<string>();
  return {
    hide(secrets) {
      for (const secret of secrets) {
        const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
        for (const form of forms) if (form.length >= shortest) needles.add(form);
      }
    },
    redact(text) {
      let safe = text;
      for (const needle of needles) safe = safe.replaceAll(needle, replacement);
      return safe;
    },
  };
}

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
