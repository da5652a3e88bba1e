import { writeSync } from 'node:fs';
import { once } from '../../../../core/lib/once.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** The part of the provider that writes a record: the calls of Terraform, or the requests to the service. */
export type Subsystem = 'rpc' | 'service';

const levels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/** The lowest level that Terraform shows; `error` if it shows no log, because a crash report contains errors. */
export function shownLevel(env: Readonly<Record<string, string | undefined>>): LogLevel {
  const set = (env['TF_LOG_PROVIDER'] || env['TF_LOG'] || '').toLowerCase();
  if (set === 'json') return 'trace';
  return levels.find((level) => level === set) ?? 'error';
}

const shownByTerraform = once(() => shownLevel(process.env));

/** Does anything read records of the level? */
export function isLogged(level: LogLevel): boolean {
  return levels.indexOf(level) >= levels.indexOf(shownByTerraform());
}

/** Writes one record to Terraform's log. Never a secret, because people share logs. */
export function log(level: LogLevel, message: string, fields: LogFields = {}, subsystem?: Subsystem): void {
  if (isLogged(level)) writeStderr(recordLine(level, message, fields, subsystem));
}

/** A record as a line of JSON, which Terraform reads on stderr. */
export function recordLine(
  level: LogLevel,
  message: string,
  fields: LogFields,
  subsystem: Subsystem | undefined,
): string {
  const module = subsystem === undefined ? 'provider' : `provider.${subsystem}`;
  const record = {
    '@level': level,
    '@message': message,
    '@module': module,
    '@timestamp': timestamp(),
    ...fields,
  };
  return `${JSON.stringify(record)}\n`;
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
