import { defined } from '../core/lib/defined.ts';
import { sha256Id } from '../core/lib/hex-ids.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../core/problem/problem.ts';
import { keyPattern } from '../forge/marker.ts';
import { longestLabelKey } from '../forge/plan-label.ts';

export const modes = ['plan', 'apply', 'drift', 'validate', 'command', 'adopt'] as const;
export type Mode = (typeof modes)[number];

/** The inputs of `action.yml`. The account comes from the environment. */
export interface Inputs {
  readonly mode: Mode;
  /** Relative to the working directory; if empty, the default files of `rampart`. */
  readonly files: readonly string[];
  readonly workingDirectory: string;
  readonly account?: string;
  /** The hosts whose changes are adopted; if empty, every host that drifted. */
  readonly hosts: readonly string[];
  /** A CEL expression that selects accounts. */
  readonly accounts?: string;
  /** Additional words for the command line. */
  readonly flags: readonly string[];
  readonly observed?: string;
  /** `auto`: the base of a pull request. */
  readonly base: 'auto' | 'off' | { readonly revision: string };
  /** Should a plan be signed? */
  readonly sign: boolean;
  readonly planPath?: string;
  readonly htmlPath?: string;
  readonly checksum?: string;
  readonly comment: 'update' | 'recreate' | 'off';
  readonly commentWhen: 'always' | 'changes';
  readonly key: string;
  /** Should a plan set a label on its pull request? */
  readonly labels: boolean;
  readonly summary: boolean;
  readonly annotations: boolean;
  readonly failOnChanges: boolean;
  /** Should drift open and update an issue? */
  readonly issue: 'off' | 'update';
  readonly trustForks: boolean;
  readonly token?: string;
}

/** Flags that other inputs, or the mode, set. */
const takenFlags: Readonly<Record<string, string>> = {
  '-f': 'files',
  '--file': 'files',
  '--account': 'account',
  '--accounts': 'accounts',
  '--changed-since': 'base',
  '--observed': 'observed',
  '--base': 'base',
  '--out': 'plan-path',
  '--sign': 'sign',
  '--checksum': 'checksum',
  '--auto-approve': 'checksum',
  '--format': 'mode',
  '--json': 'mode',
  '--detailed-exitcode': 'mode',
};

/** Reports all problems at once; none of them quotes a token. */
export function readInputs(env: Environment): Result<Inputs> {
  const problems: Problem[] = [];
  const text = (name: string) => (env[`INPUT_${name.toUpperCase()}`] ?? '').trim();
  const lines = (name: string) =>
    text(name)
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '');
  const optional = (name: string) => text(name) || undefined;
  const refuse = (name: string, expected: string) => {
    problems.push(problem('usage', `the input ${name} must be ${expected}`, { hint: 'see action.yml' }));
  };
  const word = <const W extends string>(name: string, words: readonly [W, ...W[]]): W => {
    const given = text(name) || words[0];
    const found = words.find((each) => each === given);
    if (found === undefined) refuse(name, `one of ${words.join(', ')}`);
    return found ?? words[0];
  };
  const flag = (name: string, usual: 'true' | 'false') =>
    word(name, usual === 'true' ? ['true', 'false'] : ['false', 'true']) === 'true';

  const key = text('comment-key') || text('account') || 'default';
  if (!keyPattern.test(key)) refuse('comment-key', '1 to 64 letters, digits, dots, dashes and underscores');
  const checksum = optional('checksum')?.toLowerCase();
  if (checksum !== undefined && !sha256Id.test(checksum))
    refuse('checksum', '64 hexadecimal digits, as shown by a plan');
  const flags = lines('flags').flatMap(splitFlag);
  for (const each of flags) {
    const owner = takenFlags[each.replace(/=.*$/s, '')];
    if (owner !== undefined) refuse('flags', `without ${each}: use the input ${owner} for it`);
  }
  const base = text('base') || 'auto';
  const mode = word('mode', modes);
  if (text('accounts') !== '') {
    if (text('account') !== '') refuse('accounts', 'empty if the input "account" is set');
    if (text('observed') !== '') refuse('accounts', 'empty if the input "observed" is set');
    if (mode === 'adopt') refuse('accounts', 'empty for mode adopt, which is for one account');
  }
  const issue = word('issue', ['off', 'update']);
  if (issue === 'update' && mode !== 'drift')
    refuse('issue', `off for mode ${mode}: only drift opens an issue`);
  const hosts = lines('hosts');
  if (hosts.length > 0 && mode !== 'adopt') refuse('hosts', `empty for mode ${mode}: only adopt takes hosts`);
  const labels = flag('labels', 'false');
  if (labels && mode !== 'plan' && mode !== 'command')
    refuse('labels', `false for mode ${mode}: only a plan sets a label`);
  if (labels && key.length > longestLabelKey)
    refuse('comment-key', `1 to ${longestLabelKey} characters if the input "labels" is true`);
  const sign = flag('sign', 'false');
  if (sign && mode !== 'plan' && mode !== 'command')
    refuse('sign', `false for mode ${mode}: only a plan is signed`);
  const trustForks = flag('trust-forks', 'false');
  if (mode === 'command') {
    if (trustForks) refuse('trust-forks', 'false for mode command, whose job has a key');
    if (text('observed') !== '') refuse('observed', 'empty for mode command');
    if (checksum !== undefined) refuse('checksum', 'empty for mode command: the comment names the plan');
  }
  const inputs: Inputs = {
    mode,
    files: lines('files'),
    hosts,
    workingDirectory: text('working-directory') || '.',
    flags,
    base: base === 'auto' || base === 'off' ? base : { revision: base },
    comment: word('comment', ['update', 'recreate', 'off']),
    commentWhen: word('comment-when', ['always', 'changes']),
    key,
    labels,
    sign,
    summary: flag('summary', 'true'),
    annotations: flag('annotations', 'true'),
    failOnChanges: flag('fail-on-changes', 'false'),
    issue,
    trustForks,
    ...defined({
      account: optional('account'),
      accounts: optional('accounts'),
      observed: optional('observed'),
      planPath: optional('plan-path'),
      htmlPath: optional('html-path'),
      checksum,
      token: optional('github-token'),
    }),
  };
  return problems.length > 0 ? failed(...problems) : ok(inputs);
}

/** `--ack delete=28` is two words. Everything after the first blank is one word. */
function splitFlag(line: string): readonly string[] {
  const [, name, value] = /^(--?[\w-]+)\s+(.+)$/s.exec(line) ?? [];
  return name === undefined || value === undefined ? [line] : [name, value];
}
