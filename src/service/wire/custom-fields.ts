import { firstFew, quoted } from '../../core/lib/words.ts';
import type { HostId } from '../../core/model/observed.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import type { ResponseBody } from '../contract/api.ts';

type ListedFields = ResponseBody<'listCustomFields'>['hosts'][number];

/** A column of the computer grid, and its possible values. */
export interface CustomFieldCategory {
  readonly id: string;
  readonly name: string;
  readonly values: readonly { readonly id: string; readonly name: string }[];
}

type FieldValues = Readonly<Record<string, string>>;

interface ResolvedFields {
  /** Values by category, both as names. A host without any value has an empty record, or none. */
  readonly fields: ReadonlyMap<HostId, FieldValues>;
  readonly problems: readonly Problem[];
}

/**
 * Converts ids of categories and values to names. An id without a category is unchanged. If two categories, or two
 * values in one category, have the same name, the first wins. Each of these is a warning.
 */
export function resolveCustomFields(
  categories: readonly CustomFieldCategory[],
  hosts: readonly ListedFields[],
): ResolvedFields {
  const columns = new Map(categories.map((each) => [each.id, toColumn(each)]));
  const unknown = new Set<string>();
  const several = new Set<string>();
  const hidden = hiddenCategories(categories);

  const valuesOf = (host: ListedFields): FieldValues => {
    const values = new Map<string, string>();
    const seen = new Set<string>();
    for (const { categoryId, valueId } of host.metadata) {
      const column = columns.get(categoryId);
      const value = column?.values.get(valueId);
      if (value === undefined) unknown.add(column === undefined ? categoryId : valueId);
      if (hidden.has(categoryId)) continue;
      if (seen.has(categoryId)) several.add(host.id);
      seen.add(categoryId);
      const name = column?.name ?? categoryId;
      if (!values.has(name)) values.set(name, value ?? valueId);
    }
    return Object.fromEntries(values);
  };

  const fields = new Map(hosts.map((host) => [host.id as HostId, valuesOf(host)]));
  return { fields, problems: [...namesakes(categories), ...unknownIds(unknown), ...manyValues(several)] };
}

function toColumn({ name, values }: CustomFieldCategory) {
  return { name, values: new Map(values.map((value) => [value.id, value.name])) };
}

/** All but the first of several categories with one name. */
function hiddenCategories(categories: readonly CustomFieldCategory[]): ReadonlySet<string> {
  const firstOf = new Map<string, string>();
  for (const { id, name } of categories) if (!firstOf.has(name)) firstOf.set(name, id);
  return new Set(categories.filter(({ id, name }) => firstOf.get(name) !== id).map(({ id }) => id));
}

function namesakes(categories: readonly CustomFieldCategory[]): readonly Problem[] {
  return [...Map.groupBy(categories, ({ name }) => name)]
    .filter(([, sharing]) => new Set(sharing.map(({ id }) => id)).size > 1)
    .map(([name, sharing]) =>
      warning(
        'list-inconsistent',
        `${sharing.length} custom-field categories have the name ${quoted(name)} (${sharing.map(({ id }) => quoted(id)).join(', ')}): only the values of the first are read`,
        { hint: 'give each category a unique name in the console' },
      ),
    );
}

const shownIds = 5;

function unknownIds(ids: ReadonlySet<string>): readonly Problem[] {
  if (ids.size === 0) return [];
  return [
    warning(
      'list-inconsistent',
      `the list of categories does not contain some custom fields of hosts: ${firstFew([...ids], shownIds, quoted)}; their ids are used in place of names`,
      { hint: 'the categories may have changed during the read: try again' },
    ),
  ];
}

function manyValues(hosts: ReadonlySet<string>): readonly Problem[] {
  if (hosts.size === 0) return [];
  return [
    warning(
      'list-inconsistent',
      hosts.size === 1
        ? `host ${[...hosts][0]} has more than one value in a custom-field category: the first is read`
        : `${hosts.size} hosts have more than one value in a custom-field category: only the first value is used`,
      { hostIds: [...hosts] },
    ),
  ];
}
