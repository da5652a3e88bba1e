import { writeSync } from 'node:fs';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/** One record for Terraform's log, which reads JSON lines on stderr. Never a secret, because people share logs. */
export function log(
  level: LogLevel,
  message: string,
  fields: Readonly<Record<string, string | number | boolean>> = {},
): void {
  writeStderr(
    `${JSON.stringify({ '@level': level, '@message': message, '@module': 'provider', '@timestamp': timestamp(), ...fields })}\n`,
  );
}

/** Terraform requires six fractional digits. */
function timestamp(): string {
  return new Date().toISOString().replace('Z', '000Z');
}

/** Written immediately, so that a record is not lost when the process ends. */
export function writeStderr(text: string): void {
  try {
    writeSync(2, text);
  } catch {
    // The reader has closed the stream.
  }
}
