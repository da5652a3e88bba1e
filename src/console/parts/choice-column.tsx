import { Tick } from '../../output/components/field.tsx';
import type { TableColumn } from '../../output/components/table.tsx';

/** Which rows are chosen, and how to choose others. */
export interface Choosing {
  readonly chosen: ReadonlySet<string>;
  readonly onChange: (chosen: ReadonlySet<string>) => void;
  /** The keys of all rows that are loaded. */
  readonly all: () => readonly string[];
}

/** A column of boxes that choose rows. */
export function choiceColumn<Row>(
  { chosen, onChange, all }: Choosing,
  { keyOf, nameOf }: { readonly keyOf: (row: Row) => string; readonly nameOf: (row: Row) => string },
): TableColumn<Row> {
  const keys = all();
  const isAll = keys.length > 0 && keys.every((key) => chosen.has(key));
  return {
    key: 'choice',
    title: 'Choose',
    isPlain: true,
    head: (
      <Tick
        label="Select all loaded rows"
        isLabelHidden
        isChecked={isAll}
        isMixed={!isAll && chosen.size > 0}
        onChange={(isOn) => onChange(new Set(isOn ? keys : []))}
      />
    ),
    cell: (row) => (
      <Tick
        label={`Select ${nameOf(row)}`}
        isLabelHidden
        isChecked={chosen.has(keyOf(row))}
        onChange={(isOn) => onChange(withKey(chosen, keyOf(row), isOn))}
      />
    ),
  };
}

/** The keys with one more, or without it. */
export function withKey(keys: ReadonlySet<string>, key: string, isIn: boolean): ReadonlySet<string> {
  return isIn ? new Set([...keys, key]) : new Set([...keys].filter((each) => each !== key));
}
