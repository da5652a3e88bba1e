export interface JsonLayout {
  /** Returns the spelling of a key in the text; keys stay the same when absent. */
  readonly spell?: (key: string) => string;
  /** Sorts keys by their spelling, so that equal values give equal texts. */
  readonly sorted?: boolean;
  /** Writes members and items on lines of their own, each level two blanks deeper. */
  readonly lines?: boolean;
}

/** Returns the text of a value at this depth of a document. */
export type JsonWriter = (value: unknown, depth?: number) => string;

/**
 * Writes plain data as `JSON.stringify` does after keys are spelled and sorted, but without making that copy,
 * which is faster. The parts that objects with the same keys share are made once. Keys that look like numbers are not
 * moved to the front.
 */
export function jsonWriter({ spell = (key) => key, sorted = false, lines = false }: JsonLayout): JsonWriter {
  const newLine = lineBreaks(lines);
  const root: Shape = { longer: new Map(), fields: [] };

  const fieldsOf = (object: object, depth: number): readonly Field[] => {
    const keys = Object.keys(object);
    let shape = root;
    for (const key of keys) {
      let next = shape.longer.get(key);
      if (next === undefined) shape.longer.set(key, (next = { longer: new Map(), fields: [] }));
      shape = next;
    }
    return (shape.fields[depth] ??= toFields(keys, depth));
  };
  const toFields = (keys: readonly string[], depth: number): readonly Field[] => {
    const spelled = keys.map((key) => ({ key, name: spell(key) }));
    if (sorted) spelled.sort((a, b) => (a.name < b.name ? -1 : 1));
    return spelled.map(({ key, name }) => {
      const before = `${newLine(depth)}${JSON.stringify(name)}${lines ? ': ' : ':'}`;
      return { key, first: `{${before}`, later: `,${before}` };
    });
  };

  const write = (value: unknown, depth = 0): string => {
    if (typeof value === 'string') return quote(value);
    if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
    let text = '';
    if (Array.isArray(value)) {
      for (const item of value) {
        text += (text === '' ? '[' : ',') + newLine(depth + 1) + write(item, depth + 1);
      }
      return text === '' ? '[]' : `${text}${newLine(depth)}]`;
    }
    for (const { key, first, later } of fieldsOf(value, depth + 1)) {
      const member = (value as Readonly<Record<string, unknown>>)[key];
      if (member !== undefined) text += (text === '' ? first : later) + write(member, depth + 1);
    }
    return text === '' ? '{}' : `${text}${newLine(depth)}}`;
  };
  return write;
}

/** The line break and indentation at a depth; nothing if all is on one line. */
export function lineBreaks(lines: boolean): (depth: number) => string {
  const breaks: string[] = [];
  return (depth) => (breaks[depth] ??= lines ? `\n${'  '.repeat(depth)}` : '');
}

function quote(text: string): string {
  return mayNeedEscapes.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const mayNeedEscapes = /[^ !#-[\]-~]/;

/** A key of an object, with all text before its value. */
interface Field {
  readonly key: string;
  readonly first: string;
  readonly later: string;
}

/** Objects that begin with the same keys. */
interface Shape {
  readonly longer: Map<string, Shape>;
  /** The fields of objects that have no more keys, by depth. */
  readonly fields: (readonly Field[])[];
}
