/** A rule for one attribute. Only called for values that are known and not null. */
export interface Validator {
  /** For the documentation: `one of "a", "b"`. */
  readonly description: string;
  /** Null, or a requirement: `must be one of "a", "b"`. Messages never show the value. */
  check(value: unknown): string | null;
}

export function validator<T>(description: string, holds: (value: T) => boolean): Validator {
  return { description, check: (value) => (holds(value as T) ? null : `must be ${description}`) };
}

export function oneOf(...choices: readonly string[]): Validator {
  const listed = choices.map((each) => JSON.stringify(each)).join(', ');
  return validator<string>(`one of ${listed}`, (value) => choices.includes(value));
}

/** `description` says what matches: `a decimal number`. */
export function matching(pattern: RegExp, description: string): Validator {
  return validator<string>(description, (value) =>
    new RegExp(pattern, pattern.flags.replace(/[gy]/g, '')).test(value),
  );
}

/** Counts code points of texts and elements of lists, sets and maps. */
export function lengthBetween(least: number, most: number): Validator {
  return validator<string | readonly unknown[] | object>(`${least} to ${most} long`, (value) => {
    const length = sizeOf(value);
    return length >= least && length <= most;
  });
}

function sizeOf(value: string | readonly unknown[] | object): number {
  if (typeof value === 'string') return Array.from(value).length;
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
