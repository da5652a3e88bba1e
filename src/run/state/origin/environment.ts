/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined where it is not set, and where it is empty. */
export function valueOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim() ?? '';
  return value === '' ? undefined : value;
}
