export type PluginLogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, string | number | boolean>>;

/** The part of the provider that writes a record: the calls of Terraform, or the requests to the service. */
export type Subsystem = 'rpc' | 'service';

export const levels: readonly PluginLogLevel[] = ['trace', 'debug', 'info', 'warn', 'error'];

/** The lowest level that Terraform shows; `error` if it shows no log, because a crash report contains errors. */
export function shownLevel(env: Readonly<Record<string, string | undefined>>): PluginLogLevel {
  const set = (env['TF_LOG_PROVIDER'] || env['TF_LOG'] || '').toLowerCase();
  if (set === 'json') return 'trace';
  return levels.find((level) => level === set) ?? 'error';
}

/** A record as a line of JSON, which Terraform reads on stderr. */
export function recordLine(
  level: PluginLogLevel,
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
