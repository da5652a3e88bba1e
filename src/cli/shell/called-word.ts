import type { Option } from 'commander';

/** The first word that is neither a global flag nor the value of one: the command. */
export function calledWord(argv: readonly string[], options: readonly Option[]): string | undefined {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] as string;
    if (!word.startsWith('-')) return word;
    const takesValue = options.some(
      (option) => (option.required || option.optional) && (option.long === word || option.short === word),
    );
    if (takesValue) at += 1;
  }
  return undefined;
}
