import type { CustomFields } from '../../service/wire/read-custom-fields.ts';

export interface ValueTally {
  readonly name: string;
  readonly hosts: number;
}

export interface CategoryTally {
  readonly name: string;
  /** How many hosts have a value in it. */
  readonly hosts: number;
  readonly values: readonly ValueTally[];
}

/**
 * How many hosts have each value: categories and values in the order of the service, including unused ones. Values that
 * the categories do not name come last.
 */
export function tallyFields({ categories, hostIds, customFieldsOf }: CustomFields): readonly CategoryTally[] {
  const counts = new Map<string, Map<string, number>>();
  for (const { name, values } of categories) {
    if (!counts.has(name)) counts.set(name, new Map(values.map((value) => [value.name, 0])));
  }
  for (const id of hostIds) {
    for (const [category, value] of Object.entries(customFieldsOf(id) ?? {})) {
      const values = counts.get(category) ?? new Map<string, number>();
      counts.set(category, values.set(value, (values.get(value) ?? 0) + 1));
    }
  }
  return [...counts].map(([name, values]) => ({
    name,
    hosts: [...values.values()].reduce((sum, each) => sum + each, 0),
    values: [...values].map(([value, hosts]) => ({ name: value, hosts })),
  }));
}
