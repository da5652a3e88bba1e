import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { Refusal } from './refusal.ts';

/** The flags and the rest of a command line; a flag that is not known is refused with the usage. */
export function readFlags<const O extends ParseArgsOptionsConfig>(
  argv: readonly string[],
  options: O,
  { usage, positionals }: { readonly usage: string; readonly positionals: number },
) {
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
    if (parsed.positionals.length <= positionals) return parsed;
    throw new Error(`Unexpected argument '${parsed.positionals[positionals]}'.`);
  } catch (error) {
    const [sentence] = (error as Error).message.split(/(?<=\.) /, 1);
    throw new Refusal(`${sentence}\n${usage}`);
  }
}
