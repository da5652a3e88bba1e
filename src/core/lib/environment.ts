/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined if it is not set or empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}
