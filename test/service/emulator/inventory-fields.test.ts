import { describe, expect, it } from 'vitest';
import { generateInventory } from '../../../src/service/emulator/generate-inventory.ts';
import {
  type EmulatedReportKind,
  fieldNames,
  findField,
  selectFields,
} from '../../../src/service/emulator/inventory-fields.ts';
import { createRandom } from '../../../src/service/emulator/random.ts';

const inventory = generateInventory(1, createRandom(1));

describe.each<EmulatedReportKind>(['hardware', 'system'])('the %s inventory', (kind) => {
  const record = inventory[kind] ?? {};

  it.each(fieldNames[kind])('has a place for %s, and a separate one for each field', (field) => {
    const only = selectFields(record, [field]);
    const others = selectFields(
      record,
      fieldNames[kind].filter((name) => name !== field),
    );
    expect(Object.keys(only)).toHaveLength(1);
    expect(others).not.toEqual(record);
  });

  it('is complete if all fields are requested', () =>
    expect(selectFields(record, fieldNames[kind])).toEqual(record));

  it('has no field with another name', () => expect(findField(kind, 'Color')).toBeUndefined());
});

it('keeps a value that replaces a list or a mapping', () => {
  expect(selectFields({ processors: null, memories: 'unknown' }, ['CpuType', 'MemorySize'])).toEqual({
    processors: null,
    memories: 'unknown',
  });
});
