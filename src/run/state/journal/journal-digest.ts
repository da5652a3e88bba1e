import type { BeginRecord, Digest, JournalRecord, RunRecord } from './record.ts';
import { sumUp } from './run-digest.ts';

/** The kinds of steps that later runs need. */
const rememberedKinds: readonly BeginRecord['kind'][] = ['antivirus', 'refresh', 'delete'];

const doneOutcomes = ['done', 'already'] as const;

/** For a long run, keeps only counts and the steps that later runs need. */
export function startDigest(head: RunRecord) {
  const remembered = new Set<string>();
  const records: JournalRecord[] = [];
  let done = 0;
  return {
    add(record: JournalRecord): void {
      if (record.type === 'begin') {
        if (!rememberedKinds.includes(record.kind)) return;
        remembered.add(record.step);
        records.push(record);
      } else if (record.type === 'outcome') {
        if (doneOutcomes.some((outcome) => outcome === record.outcome)) done += 1;
        if (remembered.has(record.step)) records.push(record);
      }
    },
    end: (): Digest => ({ ...sumUp({ head, records }), done }),
  };
}
