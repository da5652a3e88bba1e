import { isProcessAlive } from '../../../src/run/state/lease/this-process.ts';
import { describeConformance } from '../../run/state/conformance.ts';
import { createStateRecords, memoryState } from './memory-state.ts';

describeConformance(async () => {
  const states = new Map<string, ReturnType<typeof createStateRecords>>();
  let runs = 0;
  return {
    name: 'memory',
    async open(name) {
      const records = states.get(name) ?? createStateRecords();
      states.set(name, records);
      return memoryState({
        records,
        now: () => Date.now(),
        statement: async (work) => work(),
        read: async (work) => work(),
        suffix: () => String((runs += 1)).padStart(6, '0'),
        isAlive: ({ pid, started }) => isProcessAlive(pid, started),
        skewMs: () => 0,
      });
    },
    stop: async () => {},
  };
});
