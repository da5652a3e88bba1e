import type { Command } from 'commander';
import { didYouMean, nearest, quoted } from '../../core/lib/words.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { commandLineOf, commandPath, withCommandsAbove, withCommandsBelow } from './command-path.ts';

/** What other programs call a command, and the command here. */
const called: Readonly<Record<string, string>> = {
  ls: 'hosts',
  list: 'hosts',
  devices: 'hosts',
  diff: 'plan',
  preview: 'plan',
  check: 'validate',
  lint: 'validate',
  up: 'apply',
  sync: 'apply',
  deploy: 'apply',
  destroy: 'undo',
  rollback: 'undo',
  revert: 'undo',
  history: 'runs',
  log: 'runs',
  login: 'doctor credentials',
  auth: 'doctor credentials',
  whoami: 'doctor credentials',
  adopt: 'import ids',
  serve: 'server',
  version: '--version',
};

/** The problem of an unknown command of `parent`. Suggests the commands of that name in its groups first. */
export function noSuchCommand(parent: Command, word: string): Problem {
  const call = commandLineOf(parent);
  const names = parent
    .createHelp()
    .visibleCommands(parent)
    .map((each) => each.name());
  const elsewhere = parent.parent === null ? called[word] : undefined;
  if (elsewhere !== undefined) return unknownCommand(call, word, `did you mean "${call} ${elsewhere}"?`);
  const below = parent.commands
    .flatMap((each) => withCommandsBelow(each))
    .filter((each) => each.name() === word);
  const near =
    below.length > 0
      ? below.map(commandLineOf)
      : nearest(word, names)
          .slice(0, 1)
          .map((each) => `${call} ${each}`);
  return unknownCommand(call, word, didYouMean(near) ?? `see ${call} --help`);
}

function unknownCommand(call: string, word: string, hint: string): Problem {
  return problem('usage', `there is no command ${quoted(`${call} ${word}`)}`, { hint });
}

/** What to use in place of --server, by command. */
const instead: Readonly<Record<string, string>> = {
  plan: 'a server plans automatically: list its plans with rampart server status --server, and review one with rampart show PLAN --server',
  apply: 'a server applies plans that were approved: approve one with rampart server approve PLAN --server',
  drift:
    'a server checks automatically: rampart server status --server shows the causes, and rampart hosts --server the hosts that drifted',
  explain: 'open the host in the console of the server',
  'rollout show': 'list the rollouts of the server with rampart rollout list --server',
  'runs export': 'show a run of the server with rampart runs show RUN --server --json',
};

const others =
  'these commands ask a server: server status, hosts, runs, runs show, rollout list, show, plan rehearse, undo, and the other commands of rampart server';

/** For a command that can't ask a server. */
export function noServerFlag(command: Command): Problem {
  return problem('usage', `${commandLineOf(command)} does not ask a Rampart server: it has no --server`, {
    hint: instead[commandPath(command)] ?? others,
  });
}

/** What other programs call a flag, and the flags here that it may mean. */
const calledFlags: Readonly<Record<string, readonly string[]>> = {
  '--yes': ['--auto-approve'],
  '--auto-approve': ['--yes'],
  '-y': ['--auto-approve'],
  '--no-input': ['--auto-approve'],
  '-o': ['--format', '--out'],
  '--output': ['--format', '--out'],
  '--plan': ['--out'],
  '--config': ['--file'],
  '--check': ['--detailed-exitcode'],
  '--exit-code': ['--detailed-exitcode'],
  '--profile': ['--account'],
  '--port': ['--listen'],
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
  if (/psk|secret|passw|token|credential/i.test(flag))
    return 'no flag takes a secret: set RAMPART_PSK_FILE or RAMPART_PSK';
  const all = withCommandsAbove(command).flatMap(({ options }) => options);
  const here = (calledFlags[flag] ?? []).filter((name) => all.some(({ long }) => long === name));
  return here.length === 0 ? undefined : `did you mean ${here.join(' or ')}?`;
}
