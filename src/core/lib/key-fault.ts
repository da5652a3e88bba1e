/** A key of a JSON text that readers could interpret differently. */
export interface KeyFault {
  readonly key: string;
  /** The key is repeated in one object; otherwise it is misspelled. */
  readonly isTwice: boolean;
  /** The offset of the key in the text. */
  readonly offset: number;
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs;

/**
 * The first key that is repeated in its object, or that `spelling` does not match. `JSON.parse` takes the last of two
 * and other readers the first, so they would read the text differently. Only for valid JSON.
 */
export function keyFault(text: string, spelling: RegExp): KeyFault | undefined {
  const open: (Set<string> | null)[] = [];
  let last = '';
  let offset = 0;
  token.lastIndex = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [word] = found;
    if (word === '{') open.push(new Set());
    else if (word === '[') open.push(null);
    else if (word === '}' || word === ']') open.pop();
    else if (word !== ':') {
      last = word;
      offset = found.index;
    } else {
      const key = last.includes('\\') ? (JSON.parse(last) as string) : last.slice(1, -1);
      const keys = open.at(-1);
      if (keys?.has(key) === true) return { key, isTwice: true, offset };
      if (!spelling.test(key)) return { key, isTwice: false, offset };
      keys?.add(key);
    }
  }
  return undefined;
}
