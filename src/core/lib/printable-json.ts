/**
 * JSON text without raw control, invisible or direction-changing characters: each is written as `\uXXXX`, so that the
 * value is exact and safe to show in a terminal.
 */
export function printableJson(json: string): string {
  return json.replace(unsafe, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;
