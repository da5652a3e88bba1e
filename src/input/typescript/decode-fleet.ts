import type { EncodedValue, ScriptPlace } from '../sources/script-output.ts';

/** Deeper than any value that the encoder accepts. */
const maxDepth = 200;
const depthOfItems = 2;

/**
 * Reads the value that a script exports, as `encodeFleet` wrote it. Each value of JSON is one, so a script that wrote it
 * itself gains nothing. Undefined if it is nested too deeply.
 */
export function decodeFleet(fleet: unknown, mark: string): EncodedValue | undefined {
  let isTooDeep = false;
  const decoded = decode(fleet, 0);
  return isTooDeep ? undefined : decoded;

  function decode(value: unknown, depth: number): EncodedValue {
    if (typeof value === 'string') return value.startsWith(mark) ? decodeMarked(value) : value;
    if (typeof value !== 'object' || value === null) return { plain: String(value === 0 ? 0 : value) };
    if (depth > maxDepth) {
      isTooDeep = true;
      return { items: [] };
    }
    if (Array.isArray(value)) return { items: value.map((item) => decode(item, depth + 1)) };
    return decodeMembers(value, depth);
  }

  /** Items of `hosts` and `rules` can name their origin in `source`. */
  function decodeMembers(value: object, depth: number): EncodedValue {
    const members: (readonly [string, EncodedValue])[] = [];
    let at: ScriptPlace | undefined;
    for (const [key, member] of Object.entries(value) as [string, unknown][]) {
      const place = depth === depthOfItems && key === 'source' ? placeOf(member) : undefined;
      if (place !== undefined) at = place;
      else
        members.push([key, depth === depthOfItems && key === 'source' ? noPlace : decode(member, depth + 1)]);
    }
    return { members, ...(at === undefined ? {} : { at }) };
  }

  function decodeMarked(text: string): EncodedValue {
    const content = text.slice(mark.length + 1);
    if (text[mark.length] === 'n') return { plain: content };
    const [refused, hint] = JSON.parse(content) as readonly [string, string | null | undefined];
    return { refused: String(refused), ...(typeof hint === 'string' ? { hint } : {}) };
  }
}

const noPlace: EncodedValue = {
  refused: 'an invalid source',
  hint: 'write source: { file: "sheet.csv", line: 7 }; lines count from 1',
};

export function placeOf(source: unknown): ScriptPlace | undefined {
  if (typeof source !== 'object' || source === null) return undefined;
  const { file, line, col } = source as Readonly<Record<string, unknown>>;
  if (typeof file !== 'string' || file === '' || !isCount(line)) return undefined;
  if (col === undefined || col === null) return { file, line };
  return isCount(col) ? { file, line, col } : undefined;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
