/** A command line as far as it is typed, without the quotation marks and backslashes of the shell. */
export interface TypedWords {
  /** Those before the last one; `--flag=value` is one. */
  readonly before: readonly string[];
  /** The word that is being typed. */
  readonly last: string;
  /** bash takes `--flag=value` for three words, and replaces the last of them only. */
  readonly endsAfterSign: boolean;
}

export function typedWords(raw: readonly string[]): TypedWords {
  const words: string[] = [];
  let signs = 0;
  let endsAfterSign = false;
  for (const each of raw.map(unquoted)) {
    const flag = words.at(-1);
    const isSign = each === '=' && flag?.startsWith('--') === true && !flag.includes('=');
    endsAfterSign = isSign || (signs === 1 && flag?.endsWith('=') === true);
    if (endsAfterSign) words[words.length - 1] = `${flag}${each}`;
    else words.push(each);
    signs = isSign ? 1 : 0;
  }
  return { before: words.slice(0, -1), last: words.at(-1) ?? '', endsAfterSign };
}

/** The value of a flag, whichever way it is written; undefined if it is not there. */
export function flagValue({ before }: TypedWords, flag: string): string | undefined {
  for (const [index, word] of before.entries()) {
    if (word === flag) return before[index + 1];
    if (word.startsWith(`${flag}=`)) return word.slice(flag.length + 1);
  }
  return undefined;
}

function unquoted(word: string): string {
  return word.replace(/^["']/, '').replace(/["']$/, '').replace(/\\(.)/gs, '$1');
}
