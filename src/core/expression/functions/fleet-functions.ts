import type { FunctionSource } from './function-source.ts';

/** Functions over time and over the whole fleet. The checker replaces each of them with calls that read facts. */
export const fleetFunctions: readonly FunctionSource[] = [
  { signature: 'age(string): duration', about: 'the time from this time to the time of the plan' },
  { signature: 'age(timestamp): duration', about: 'the same for a time' },
  {
    signature: 'twins(string): int',
    about:
      'how many other hosts have the same value, ignoring letter case; unknown for a value that identifies nothing',
  },
  { signature: 'twins(int): int', about: 'the same for a number' },
  {
    signature: 'next(string, int): string',
    about:
      'for names: the text and the next number of so many digits, such as next("BER-LT-", 3). A host that has such a name keeps it',
  },
];
