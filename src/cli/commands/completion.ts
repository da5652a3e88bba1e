import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { hostsOf, type Observed } from '../../core/model/observed.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { readLatestFleet } from '../../run/state/files/last-fleet.ts';
import {
  candidates,
  flagValue,
  type KnownNames,
  type TypedWords,
  typedWords,
} from '../completion/candidates.ts';
import { type Shell, shellScripts } from '../completion/shell-scripts.ts';
import { readFleet } from '../service/read-fleet.ts';
import { readSnapshotFile } from '../setup/live-or-saved.ts';
import type { Context } from '../shell/context.ts';
import type { EmulatorSettings } from '../shell/settings.ts';

/** The script that enables a shell to complete commands, flags, hosts and groups. */
export async function completion(context: Context, _flags: unknown, shell: Shell): Promise<ExitCode> {
  if (context.settings.format === 'json') context.printJson({ shell, script: shellScripts[shell] });
  else context.printExactly(shellScripts[shell]);
  return exitCodes.success;
}

/**
 * The protocol of the shell scripts: a first line with `words` or `files`, then one word per line for the last typed
 * word. Nothing is sent.
 */
export async function complete(
  context: Context,
  program: Command,
  words: readonly string[],
): Promise<ExitCode> {
  const typed = typedWords(words);
  const found = await candidates(program, typed, () => knownNames(context, typed));
  context.print(`${found.kind}\n`);
  if (found.kind === 'words') context.printExactly(found.words.map((each) => `${each}\n`).join(''));
  return exitCodes.success;
}

/**
 * Names of the fleet that the command line refers to: a snapshot, the embedded fleet, or the fleet after the last run.
 * Nothing is sent.
 */
async function knownNames(context: Context, words: TypedWords): Promise<KnownNames> {
  const { cwd: folder, env } = context.io;
  const file = await readAccounts({ folder, env });
  const accounts = file.ok ? file.value.accounts.map(({ name }) => name) : [];
  const fleet = await knownFleet(context, words);
  if (fleet === undefined) return { hosts: [], groups: [], accounts };
  const named = (all: readonly { readonly name: string | null }[]) => all.flatMap(({ name }) => name ?? []);
  return { hosts: named(hostsOf(fleet)), groups: named(fleet.groups), accounts };
}

async function knownFleet(context: Context, words: TypedWords): Promise<Observed | undefined> {
  const saved = flagValue(words, '--observed');
  if (saved !== undefined) {
    const snapshot = await readSnapshotFile(context, saved);
    return snapshot.ok ? snapshot.value.observed : undefined;
  }
  const emulator = await emulatorOf(context, words);
  if (emulator !== undefined) {
    const read = await readFleet(
      { ...context, settings: { ...context.settings, emulator } },
      { antivirus: false },
    );
    return read.ok ? read.value : undefined;
  }
  const stateDir = flagValue(words, '--state-dir') ?? context.settings.stateDir;
  return (await readLatestFleet(context.path(stateDir)))?.observed;
}

/** The saved fleet is used instead of the seed, so that nothing is written while someone types. */
async function emulatorOf(context: Context, words: TypedWords): Promise<EmulatorSettings | undefined> {
  const state = flagValue(words, '--emulator-state');
  const hasState = state !== undefined && (await stat(context.path(state)).catch(() => null)) !== null;
  if (hasState) return { seed: state };
  const given = words.before.find((word) => word === '--emulator' || word.startsWith('--emulator='));
  if (state === undefined && given === undefined) return undefined;
  const seed = given?.slice('--emulator='.length) ?? '';
  return seed === '' ? {} : { seed };
}
