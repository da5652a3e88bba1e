import { Command, Option } from 'commander';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';
import { collect, type Format } from '../shell/settings.ts';
import { inTopic, type SeldomTopic } from './flag-topics.ts';

/** A command, with what many commands of Rampart have in common. */
export class CliCommand extends Command {
  /** What the command prints in addition to text and JSON. */
  formats: readonly Format[] = [];
  declare readonly commands: readonly CliCommand[];
  readonly #run: RunCommand;

  constructor(name: string | undefined, run: RunCommand) {
    super(name);
    this.#run = run;
  }

  override createCommand(name?: string): CliCommand {
    return new CliCommand(name, this.#run);
  }

  /** Connects the command to its code, and to the accounts that it takes. */
  runs(accounts: AccountScope, load: LoadCode): this {
    // After the words, Commander passes the flags and the command.
    return this.action((...parameters) => this.#run(this, accounts, load, parameters.slice(0, -2)));
  }

  /** Formats in addition to text and JSON. */
  prints(...formats: readonly Format[]): this {
    this.formats = formats;
    return this;
  }

  /** The last part of the help. */
  examples(...lines: readonly string[]): this {
    return this.addHelpText('after', `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`);
  }

  /** A flag that only the help of its topic explains. */
  seldom<T>(topic: SeldomTopic, flags: string, words: string, read?: (text: string, earlier: T) => T): this {
    const option = new Option(flags, words);
    if (read !== undefined) option.argParser(read);
    return this.addOption(inTopic(topic, option));
  }

  /** `-f`, for a command that reads a desired state. */
  desiredFiles(): this {
    const words = 'Read the desired state from this file or folder. Repeatable.';
    return this.option('-f, --file <path>', words, collect);
  }

  /** `--observed`, for a command that needs no credentials then. */
  observed(words = 'Use this snapshot of the fleet. Needs no credentials.'): this {
    return this.option('--observed <file>', words);
  }

  /** `--server`, for a command that can ask a server. */
  askServer(words: string): this {
    return this.option('--server [url]', words);
  }
}

/** The code of a command, with its own flags and arguments in order. */
export type CommandCode = (context: Context, flags: never, ...words: never[]) => Promise<ExitCode>;

/**
 * What a command does if accounts are selected: `none` uses none of them or selects them itself, `one` refuses several,
 * `each` runs once for each of them, and `together` has code of its own for several.
 */
export type AccountScope = 'none' | 'one' | 'each' | 'together';

/** Loads the code of a command when it runs, so that every command starts fast. With `--server`, it may be other code. */
type LoadCode = (flags: { readonly server?: unknown }) => Promise<CommandCode>;

/** Runs the code of a command, with the words that it was called with. */
export type RunCommand = (
  command: CliCommand,
  accounts: AccountScope,
  load: LoadCode,
  words: readonly unknown[],
) => Promise<void>;

/** By the word that calls each command, in the order of the help. */
export type Commands = Readonly<Record<string, (program: CliCommand) => void>>;
