import type { z } from 'zod';
import type { Step } from '../../../core/plan/types/step.ts';
import type { changeSchema, digestSchema, originSchema, recordSchema } from './record-schema.ts';

export type JournalRecord = z.infer<typeof recordSchema>;
export type RunRecord = Extract<JournalRecord, { type: 'run' }>;
export type BeginRecord = Extract<JournalRecord, { type: 'begin' }>;
export type EndRecord = Extract<JournalRecord, { type: 'end' }>;
export type Origin = z.infer<typeof originSchema>;
export type Digest = z.infer<typeof digestSchema>;
export type JournaledChange = z.infer<typeof changeSchema>;

export const journalFormatVersion = '1.2';

export function changesOfStep(step: Step): JournaledChange[] {
  switch (step.kind) {
    case 'rename':
    case 'temporary-rename':
      return [{ host_id: step.hostId, name: { before: step.from, after: step.to } }];
    case 'move':
      return step.hosts.map(({ hostId, name: knownAs, expects }) => ({
        host_id: hostId,
        known_as: knownAs,
        group: { before: expects.groupId, after: step.groupId },
      }));
    case 'antivirus':
    case 'refresh':
      return step.hosts.map(({ hostId, name: knownAs }) => ({ host_id: hostId, known_as: knownAs }));
    case 'delete':
      return step.hosts.map(({ hostId, name: knownAs, expects }) => ({
        host_id: hostId,
        known_as: knownAs,
        was_in: expects.groupId,
      }));
  }
}
