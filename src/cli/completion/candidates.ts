import type { Argument, Command, Option } from 'commander';

/** Names in a fleet that are known without asking the service. */
export interface KnownNames {
  readonly hosts: readonly string[];
  readonly groups: readonly string[];
  /** The accounts of rampart.config.yaml. */
  readonly accounts: readonly string[];
}

/** The candidates for the word being typed. The shell completes files itself. */
export type Candidates =
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'files' };

export async function candidates(
  program: Command,
  typed: TypedWords,
  names: () => Promise<KnownNames>,
): Promise<Candidates> {
  const { last, endsAfterSign } = typed;
  const position = walk(program, typed.before);
  const [flag, value] = split(last);
  if (position.expected === undefined && flag !== undefined) {
    const option = optionNamed(position.command, flag);
    const prefix = endsAfterSign ? '' : `${flag}=`;
    return option === undefined ? nothing : chosen(await slotWords(slotOf(option), names), value, prefix);
  }
  if (position.expected !== undefined) return chosen(await slotWords(slotOf(position.expected), names), last);
  if (last.startsWith('-')) return chosen(flagsOf(position.command), last);
  const children = position.command.commands.filter(isShown).map((each) => each.name());
  if (children.length > 0) return chosen(children, last);
  const argument = argumentAt(position);
  if (argument === undefined) return nothing;
  const all = await slotWords(slotOfArgument(argument), names);
  // The command would take the name of a host such as --auto-approve for its own flag.
  return chosen(all === 'files' ? all : all.filter((each) => !each.startsWith('-')), last);
}

const nothing: Candidates = { kind: 'words', words: [] };

/** One candidate per line, so a name with a line break can't be offered. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function chosen(all: readonly string[] | 'files', typed: string, prefix = ''): Candidates {
  if (all === 'files') return { kind: 'files' };
  const words = all.filter((each) => each.startsWith(typed) && !unprintable.test(each));
  return { kind: 'words', words: words.map((each) => prefix + each) };
}

interface Position {
  readonly command: Command;
  /** How many arguments the command has so far. */
  readonly passed: number;
  /** The option whose value comes next. */
  readonly expected?: Option;
}

function walk(program: Command, before: readonly string[]): Position {
  let command = program;
  let passed = 0;
  let expected: Option | undefined;
  for (const word of before) {
    if (expected !== undefined) {
      expected = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionNamed(command, word);
      expected = option?.required === true ? option : undefined;
      continue;
    }
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) passed += 1;
    else if (child.name() !== 'help') command = child;
  }
  return { command, passed, ...(expected === undefined ? {} : { expected }) };
}

function optionNamed(command: Command, word: string): Option | undefined {
  return optionsOf(command).find((each) => each.long === word || each.short === word);
}

function optionsOf(command: Command): readonly Option[] {
  const own = command.options.filter((each) => !each.hidden);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

function flagsOf(command: Command): readonly string[] {
  return [...optionsOf(command).flatMap((each) => each.long ?? []), '--help'];
}

/** `--group=Ber` is a flag and a value; anything else has no flag. */
function split(word: string): readonly [flag: string | undefined, value: string] {
  const sign = word.startsWith('--') ? word.indexOf('=') : -1;
  return sign === -1 ? [undefined, word] : [word.slice(0, sign), word.slice(sign + 1)];
}

/** Commander has no public API for this. */
function isShown(command: Command): boolean {
  return !(command as unknown as { readonly _hidden?: boolean })._hidden;
}

function argumentAt({ command, passed }: Position): Argument | undefined {
  const all = command.registeredArguments;
  const last = all.at(-1);
  return all[passed] ?? (last?.variadic === true ? last : undefined);
}

/** The candidates for one argument: a fixed set of words, or values for the argument's name. */
interface Slot {
  readonly choices?: readonly string[] | undefined;
  readonly name: string;
}

function slotOf({ argChoices, flags, long }: Option): Slot {
  const name = long === '--account' ? 'account' : /<([a-z]+)[^>]*>/.exec(flags)?.[1];
  return { choices: argChoices, name: name ?? (long === '--emulator' ? 'file' : '') };
}

function slotOfArgument(argument: Argument): Slot {
  return { choices: argument.argChoices, name: argument.name() };
}

const namesOfFiles: ReadonlySet<string> = new Set(['file', 'path', 'paths', 'folder', 'plan', 'rev']);

async function slotWords(
  { choices, name }: Slot,
  names: () => Promise<KnownNames>,
): Promise<readonly string[] | 'files'> {
  if (choices !== undefined) return choices;
  if (namesOfFiles.has(name)) return 'files';
  if (name === 'host') return (await names()).hosts;
  if (name === 'account') return (await names()).accounts;
  return name === 'group' ? (await names()).groups : [];
}

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
