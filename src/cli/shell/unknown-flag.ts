import type { Command } from 'commander';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { commandLineOf } from './command-path.ts';

/** What other programs call a flag, and the flags here that it may mean. */
const called: Readonly<Record<string, readonly string[]>> = {
  '--yes': ['--auto-approve'],
  '-y': ['--auto-approve'],
  '--no-input': ['--auto-approve'],
  '-o': ['--format', '--out'],
  '--output': ['--format', '--out'],
  '--plan': ['--out'],
  '--config': ['--file'],
  '--check': ['--detailed-exitcode'],
  '--exit-code': ['--detailed-exitcode'],
  '--profile': ['--account'],
  '--debug': ['--verbose'],
};

const dryRuns: ReadonlySet<string> = new Set(['--dry-run', '--dryrun', '-n', '--simulate', '--noop']);

/** The problem of a flag that a command does not have, as Commander words it; undefined if nothing better is known. */
export function unknownFlag(command: Command, message: string): Problem | undefined {
  const flag = /unknown option '([^'=]+)/.exec(message)?.[1] ?? '';
  const hint = hintFor(command, flag);
  return hint === undefined ? undefined : problem('usage', `unknown option '${flag}'`, { hint });
}

function hintFor(command: Command, flag: string): string | undefined {
  const call = commandLineOf(command);
  if (dryRuns.has(flag))
    return call === 'rampart plan'
      ? 'leave it out: rampart plan never changes anything'
      : 'rampart plan shows what would change, and changes nothing';
  const all = [command, ...above(command)].flatMap(({ options }) => options);
  const here = (called[flag] ?? []).filter((name) => all.some(({ long }) => long === name));
  return here.length === 0 ? undefined : `did you mean ${here.join(' or ')}?`;
}

function above({ parent }: Command): readonly Command[] {
  return parent === null ? [] : [parent, ...above(parent)];
}
