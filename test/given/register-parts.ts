import type { PageStore, RegisterParts } from '../../src/service/registers/fetch-register.ts';

/** Parts for reading a register whose clock only sleeping and `pass` move, with what was slept and hidden so far. */
export function registerParts(env: Readonly<Record<string, string>>, pages?: PageStore) {
  let now = 0;
  const slept: number[] = [];
  const hidden: string[] = [];
  const parts: RegisterParts = {
    env,
    folder: '.',
    clock: {
      now: () => now,
      sleep: async (ms) => {
        now += ms;
        slept.push(ms);
      },
    },
    hide: (secrets) => hidden.push(...secrets),
    ...(pages === undefined ? {} : { pages }),
  };
  return { parts, slept, hidden, pass: (ms: number) => void (now += ms) };
}
