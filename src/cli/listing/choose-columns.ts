import { InvalidArgumentError } from 'commander';
import { didYouMean, nearest, quoted } from '../../core/lib/words.ts';
import { type FactNeeds, needsNothing } from '../../core/model/facts.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { antivirusColumns } from '../../output/review/antivirus-columns.ts';
import type { Column } from '../../output/review/columns.ts';
import { customFieldColumn, type FactedHost, hostColumns } from '../../output/review/host-columns.ts';
import type { CustomFieldCategory } from '../../service/wire/custom-fields.ts';

export interface SortIntent {
  readonly column: string;
  readonly direction: 'up' | 'down';
}

const ownColumns: ReadonlyMap<string, Column<FactedHost>> = new Map(
  [...Object.values(hostColumns), ...Object.values(antivirusColumns)].map((column) => [column.key, column]),
);
const antivirusKeys: ReadonlySet<string> = new Set(Object.values(antivirusColumns).map(({ key }) => key));

/** `id,name,"Cost center, old"`: comma-separated words, which may be quoted; the flag may be repeated. */
export function readColumns(text: string, earlier: readonly string[] = []): readonly string[] {
  if (!/^\s*(?:"[^"]+"|[^,"]+)\s*(?:,\s*(?:"[^"]+"|[^,"]+)\s*)*$/.test(text)) {
    throw new InvalidArgumentError('It must be names separated by commas, such as id,name,"Cost center".');
  }
  const words = [...text.matchAll(/"([^"]+)"|([^,"]+)/g)].map(
    ([, inQuotes, plain = '']) => inQuotes ?? plain.trim(),
  );
  return [...earlier, ...words.filter((word) => word !== '')];
}

/** `name` or `name:desc`. */
export function readSort(text: string): SortIntent {
  const match = /^(.+?)(?::(asc|desc))?$/s.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be a column, such as name or name:desc.');
  return { column: match[1] as string, direction: match[2] === 'desc' ? 'down' : 'up' };
}

/** The lists that these columns need. An unknown name is that of a custom field. */
export function needsOfColumns(keys: readonly string[]): FactNeeds {
  return {
    ...needsNothing,
    antivirus: keys.some((key) => antivirusKeys.has(key)),
    customFields: keys.some((key) => !ownColumns.has(key)),
  };
}

export function chooseColumns(
  keys: readonly string[],
  categories: readonly CustomFieldCategory[],
): Result<readonly Column<FactedHost>[]> {
  const fields = new Set(categories.map(({ name }) => name));
  const unknown = keys.filter((key) => !ownColumns.has(key) && !fields.has(key));
  if (unknown.length > 0) return failed(...unknown.map((key) => unknownColumn(key, fields)));
  return ok(keys.map((key) => ownColumns.get(key) ?? customFieldColumn(key)));
}

function unknownColumn(key: string, fields: ReadonlySet<string>) {
  const near = nearest(key, [...ownColumns.keys(), ...fields]);
  return problem('usage', `there is no column or custom field ${quoted(key)}`, {
    hint:
      didYouMean(near) ??
      `the columns are ${[...ownColumns.keys()].join(', ')}, and the custom fields that "rampart hosts fields" lists`,
  });
}
