import { columnPath } from '../../core/model/column-path.ts';
import type { Reason } from '../../core/plan/types/step.ts';
import { fileAndLine } from '../../core/problem/problem.ts';

/** The cells that a name was made of: `asset.Name at assets.csv:17`. The texts are raw: painters escape them. */
export function reasonCells({ cells = [] }: Pick<Reason, 'cells'>): readonly string[] {
  return cells.map((cell) => `${columnPath(cell)} at ${fileAndLine(cell)}`);
}
