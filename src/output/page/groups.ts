import { ungroupedId } from '../../core/model/group.ts';
import { rawGroupName } from '../review/group-changes.ts';
import type { PlanRows } from '../review/rows.ts';
import type { ShownName } from './page-data.ts';
import { toShownName } from './shown-name.ts';

/** The names of the groups in the plan. */
export function groupNames({ plan }: PlanRows): Readonly<Record<string, ShownName>> {
  return Object.fromEntries(plan.groups.map(({ id, name }) => [id, groupName(id, name)]));
}

function groupName(id: string, name: string | null): ShownName {
  return id === ungroupedId || name === null ? rawGroupName(id, name) : toShownName(name);
}
