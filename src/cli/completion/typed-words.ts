/** A partially typed command line, without the shell's quotation marks and backslashes. */
export interface TypedWords {
  /** The words before the last one; `--flag=value` is one word. */
  readonly before: readonly string[];
  /** The word being typed. */
  readonly last: string;
  /** bash splits `--flag=value` into three words, and replaces only the last one. */
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

/** The value of a flag in either form; undefined if the flag is absent. */
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
