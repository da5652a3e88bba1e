import type { GroupIntent } from '../../core/model/group.ts';
import { noGroup } from './row-to-tree.ts';

/** What a cell in the column "group" means. */
export function groupCalled(name: string): GroupIntent {
  return name === noGroup ? { kind: 'ungrouped' } : { kind: 'named', name };
}
