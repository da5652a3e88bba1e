import type { Command } from 'commander';
import { readLatestFleet } from '../../journal/last-fleet.ts';
import { hostsOf } from '../../model/observed.ts';
import { candidates, type KnownNames } from '../completion/candidates.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

/** What may stand for the last of the words, a line each: what the scripts of the shells ask. Nothing is sent. */
export async function complete(
  context: Context,
  program: Command,
  words: readonly string[],
): Promise<ExitCode> {
  const left = await readLatestFleet(context.path(context.settings.stateDir));
  const names = (): KnownNames => {
    if (left === null) return { hosts: [], groups: [] };
    const named = (all: readonly { readonly name: string | null }[]) => all.flatMap(({ name }) => name ?? []);
    return { hosts: named(hostsOf(left.observed)), groups: named(left.observed.groups) };
  };
  for (const each of candidates(program, words, names)) context.print(`${each}\n`);
  return exitCodes.success;
}
