/** Letters that look like digits in many typefaces. */
const digits: Readonly<Record<string, string>> = { O: '0', o: '0', I: '1', l: '1' };
const words: Readonly<Record<string, string>> = {
  O: 'letter O among digits',
  o: 'letter o among digits',
  I: 'letter I among digits',
  l: 'letter l among digits',
};

/**
 * Remarks on names with a letter where other names have a digit, such as `KIOSK-O105` among `KIOSK-0104` and
 * `KIOSK-0106`.
 */
export function digitLookalikes(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const suspects = names.filter((name) => confusable.test(name));
  if (suspects.length === 0) return new Map();
  const shapes = new Set(names.map(shapeOf));
  return new Map(
    suspects.flatMap((name) => {
      const read = name.replace(parts, (part) =>
        /\d/.test(part) ? part.replace(/[OoIl]/g, (letter) => digits[letter] as string) : part,
      );
      if (read === name || !shapes.has(shapeOf(read))) return [];
      // The replaced characters are single UTF-16 units, so both texts have the same length.
      const at = Array.from({ length: name.length }, (_, index) => index).find(
        (each) => name[each] !== read[each],
      );
      const remark = at === undefined ? undefined : words[name.charAt(at)];
      return remark === undefined ? [] : [[name, [remark]] as const];
    }),
  );
}

/**
 * Parts of a name that have only digits and letters like them. A pattern that also requires a digit would take
 * quadratic time for a hostile name.
 */
const parts = /(?<![\p{L}\p{N}])[\dOoIl]+(?![\p{L}\p{N}])/gu;
const confusable = /\d[OoIl]|[OoIl]\d/;

/** `KIOSK-0104` has the shape `x-0000`: words may be those of people, so only numbers and what separates them count. */
function shapeOf(name: string): string {
  return name.replace(/\d/g, '0').replace(/\p{L}+/gu, 'x');
}
