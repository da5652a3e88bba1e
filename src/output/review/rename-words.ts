import { count, grouped } from '../../core/lib/words.ts';
import type { RenameComponent, RenameRow } from './rename-rows.ts';
import type { PlanRows } from './rows.ts';

/** `Rename 12 hosts (plus 2 temporary renames before deletion)`. */
export function renamesTitle({ renames }: PlanRows): string {
  const rows = renames.flatMap((component) => component.rows);
  const beforeDeletion = rows.filter(({ temporaryRename }) => temporaryRename === 'deletion').length;
  const title = `Rename ${count(rows.length - beforeDeletion, 'host')}`;
  if (beforeDeletion === 0) return title;
  return `${title} (plus ${count(beforeDeletion, 'temporary rename')} before deletion)`;
}

/** `two hosts swap names`; undefined for a host whose rename is on its own. */
export function componentTitle({ shape, rows }: RenameComponent): string | undefined {
  switch (shape) {
    case 'single':
      return undefined;
    case 'swap':
      return 'two hosts swap names';
    case 'cycle':
      return `cycle of ${grouped(rows.length)}, in this order`;
    case 'chain':
      return `chain of ${grouped(rows.length)}, in this order`;
  }
}

/** The remark on one rename; empty if there is none. */
export function renameRemark({ temporaryRename, hazards }: RenameRow): string {
  if (temporaryRename === 'first') return 'temporary rename first';
  if (temporaryRename === 'deletion') return 'temporary rename, then deleted';
  if (hazards.includes('no-previous-name')) return 'no previous name';
  return hazards.includes('case-only') ? 'letter case only' : '';
}
