import type { Command, Option } from 'commander';

/** What is known of a fleet without asking the service. */
export interface KnownNames {
  readonly hosts: readonly string[];
  readonly groups: readonly string[];
}

/** What may stand where the last of these words is being typed; none where it is a file, or anything. */
export function candidates(
  program: Command,
  words: readonly string[],
  names: () => KnownNames,
): readonly string[] {
  const typed = words.at(-1) ?? '';
  const { command, expected } = walk(program, words.slice(0, -1));
  const all = expected === undefined ? wordsOf(command, typed, names) : valuesOf(expected, names);
  return all.filter((each) => each.startsWith(typed) && !unprintable.test(each));
}

/** A line each: a name with a line break in it can't be offered. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

interface Position {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly expected?: Option;
}

function walk(program: Command, before: readonly string[]): Position {
  let command = program;
  let expected: Option | undefined;
  for (const word of before) {
    if (expected !== undefined) {
      expected = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const option = optionsOf(command).find((each) => each.long === word || each.short === word);
      expected = option?.required === true ? option : undefined;
      continue;
    }
    command = command.commands.find((each) => each.name() === word) ?? command;
  }
  return expected === undefined ? { command } : { command, expected };
}

function optionsOf(command: Command): readonly Option[] {
  const own = command.options.filter((each) => !each.hidden);
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

function wordsOf(command: Command, typed: string, names: () => KnownNames): readonly string[] {
  if (typed.startsWith('-')) {
    return [...optionsOf(command).flatMap((each) => each.long ?? []), '--help'];
  }
  const children = command.commands.filter(isShown).map((each) => each.name());
  if (children.length > 0) return children;
  return command.registeredArguments.some((each) => each.name() === 'host') ? names().hosts : [];
}

/** Commander has no public way to ask. */
function isShown(command: Command): boolean {
  return !(command as unknown as { readonly _hidden?: boolean })._hidden;
}

function valuesOf(option: Option, names: () => KnownNames): readonly string[] {
  if (option.argChoices !== undefined) return option.argChoices;
  if (/<host>/.test(option.flags)) return names().hosts;
  return /<group>/.test(option.flags) ? names().groups : [];
}
