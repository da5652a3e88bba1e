/** An injected clock, so that a test can run through hours in a moment. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. It never throws: the caller checks the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** How a process reads the secrets that its configuration names. */
export interface SecretReader {
  readonly env: Environment;
  /** Paths are relative to this folder, which is that of rampart.config.yaml. */
  readonly folder: string;
  /** Called with each secret as soon as it is known, so that no output shows it. */
  readonly hide: (secrets: readonly string[]) => void;
}

/** Undefined if it is not set or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** Is it set to a text? */
export function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '';
}

/** Is it set to anything but `0` and `false`? */
export function isSwitchedOn(env: Environment, name: string): boolean {
  return !['', '0', 'false'].includes(env[name] ?? '');
}
