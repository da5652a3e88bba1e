import { grouped } from '../../../core/lib/words.ts';

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

/** `description` describes what matches: `a decimal number`. */
export function matching(pattern: RegExp, description: string): Validator {
  return validator<string>(description, (value) =>
    new RegExp(pattern, pattern.flags.replace(/[gy]/g, '')).test(value),
  );
}

/** Counts code points. */
export function lengthBetween(least: number, most: number): Validator {
  return validator<string>(`${least} to ${grouped(most)} characters`, (value) => {
    const { length } = Array.from(value);
    return length >= least && length <= most;
  });
}
