import { quoted } from '../../core/lib/quoted.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { SourceText } from '../sources/source-text.ts';

/** What is wrong with the header of a table. Columns without a name are not read. */
export function columnFault({ file }: SourceText, columns: readonly string[]): Problem | undefined {
  const place = { file, line: 1, col: 1 };
  if (columns.every((column) => column === '')) {
    return problem('file-empty', 'the table is empty', { place, hint: 'its first row names the columns' });
  }
  const seen = new Set<string>();
  for (const column of columns) {
    if (column !== '' && seen.has(column)) {
      return problem('duplicate-key', `the column ${quoted(column)} appears twice`, {
        place,
        hint: 'rename one of the two: expressions read a column by its name',
      });
    }
    seen.add(column);
  }
  return undefined;
}
