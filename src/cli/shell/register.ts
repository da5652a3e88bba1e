import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { CliCommand } from '../program/cli-command.ts';
import type { Context } from './context.ts';

/** The code of a command, with its own flags and arguments in order. */
export type CommandCode = (context: Context, flags: never, ...words: never[]) => Promise<ExitCode>;

/**
 * What a command does if accounts are selected: `none` uses none of them or selects them itself, `one` refuses several,
 * `each` runs once for each of them, and `together` has code of its own for several.
 */
export type AccountScope = 'none' | 'one' | 'each' | 'together';

/**
 * Connects a command to its code, and to the accounts that it takes. The code is loaded when the command runs, so that
 * every command starts fast. With `--server`, it may be other code.
 */
export type Register = (
  command: CliCommand,
  accounts: AccountScope,
  load: (flags: { readonly server?: unknown }) => Promise<CommandCode>,
) => void;

/** By the word that calls each command, in the order of the help. */
export type Commands = Readonly<Record<string, (program: CliCommand, register: Register) => void>>;
