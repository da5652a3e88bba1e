import { resolve } from 'node:path';
import type { AccountConfig } from '../accounts/config/account-config.ts';
import { readAccounts } from '../accounts/config/read-accounts.ts';
import { keyFileOf, keyIn } from '../accounts/config/read-token.ts';
import { unforeseen } from '../accounts/engine/unforeseen.ts';
import type { Io } from '../cli/shell/io.ts';
import { redactingIo } from '../cli/shell/safe-output.ts';
import { once } from '../core/lib/once.ts';
import { createRedaction, type Redaction } from '../core/lib/redaction.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import { soundsSecret } from '../core/lib/typed-secrets.ts';
import { failed, ok, type Problem, problem, type Result } from '../core/problem/problem.ts';
import { type ConnectedForge, connectForge } from '../forge/connect-forge.ts';
import { createGithub, type Github } from '../forge/github.ts';
import { plainProblems } from '../output/review/problem-text.ts';
import { type ExitCode, exitCodeOf, exitCodes, isGood } from '../run/apply/exit-code.ts';
import { outputMisuse } from '../run/state/files/output-files.ts';
import { accountsMode } from './accounts-mode.ts';
import { toAnnotations } from './annotations.ts';
import { applyMode } from './apply-mode.ts';
import { commandMode } from './command-mode.ts';
import { driftMode, updateDriftIssue } from './drift-mode.ts';
import { readEvent } from './event.ts';
import { type Inputs, readInputs } from './inputs.ts';
import { type Job, type Outcome, type Runner, textOutcome } from './job.ts';
import { planMode } from './plan-mode.ts';
import { publish } from './publish.ts';
import { rolloutMode } from './rollout-mode.ts';
import { observedFlag, runCommand, stateFlags } from './run-command.ts';
import { distrusted, trustedEnvironment } from './trust.ts';
import { validateMode } from './validate-mode.ts';

/** Runs one step of a workflow, from its inputs to its exit code: 0 if it succeeds. Never rejects. */
export async function runAction(outside: Runner): Promise<number> {
  const inputs = readInputs(outside.io.env);
  const event = await readEvent(outside.io.env);
  const bare = guarded(outside, createRedaction());
  if (!inputs.ok) return stop(bare, inputs.problems, '.');
  if (!event.ok) return stop(bare, event.problems, '.');
  const folder = resolve(outside.io.cwd, inputs.value.workingDirectory);
  const given = { event: event.value, inputs: inputs.value, folder };
  const env = await trustedEnvironment(outside.io.env, given);
  const redaction = await hideSecrets(env, folder, inputs.value);
  const runner = guarded({ ...outside, io: { ...outside.io, env } }, redaction);
  const github = githubOf(inputs.value, runner.io);
  try {
    return await runJob({ runner, redaction, ...given }, github.open);
  } catch (error) {
    return stop(runner, [unforeseen(error)], '.');
  } finally {
    await github.close();
  }
}

async function runJob(job: Job, github: () => Result<Github>): Promise<number> {
  const { inputs, runner } = job;
  const misuse = outputMisuse(
    (given) => resolve(job.folder, given),
    [
      { flag: 'plan-path', kind: 'plan', shown: inputs.planPath },
      { flag: 'html-path', kind: 'page', shown: inputs.htmlPath },
    ],
  );
  if (misuse !== undefined) return stop(runner, [misuse], inputs.workingDirectory);
  const carryOut = async (each: Job) => {
    const outcome = await modeOf(each, github);
    await publish(each, outcome, github);
    return outcome;
  };
  if (inputs.mode === 'command') {
    const end = await commandMode(job, { github, carryOut });
    if (isGood(end.exitCode)) return 0;
    return end.problems.length > 0
      ? stop(runner, end.problems, inputs.workingDirectory)
      : failedWith(job, end.exitCode);
  }
  const distrust = await distrusted(job);
  if (distrust.length > 0) return stop(runner, distrust, inputs.workingDirectory);
  const outcome = await carryOut(job);
  const { exitCode, problems } = outcome;
  if (inputs.issue === 'update') {
    const issued = await updateDriftIssue(job, outcome, github);
    // Nobody would learn of the drift.
    if (!issued.ok) return stop(runner, issued.problems, inputs.workingDirectory);
  }
  if (isGood(exitCode) && !(exitCode === exitCodes.changes && inputs.failOnChanges)) return 0;
  if (!inputs.annotations || problems.every(({ severity }) => severity !== 'error')) {
    return failedWith(job, exitCode);
  }
  return exitCode;
}

function failedWith({ runner, inputs }: Job, exitCode: ExitCode): number {
  const message = `rampart ${inputs.mode} ended with exit code ${exitCode}: see the log`;
  runner.annotate({ kind: 'error', title: 'Rampart', message });
  return exitCode;
}

function modeOf(job: Job, github: () => Result<Github>): Promise<Outcome> {
  const { inputs } = job;
  switch (inputs.mode) {
    // A command runs as the mode that it requests.
    case 'command':

    case 'plan':
      return inputs.accounts === undefined ? planMode(job) : accountsMode(job);
    case 'apply':
      return inputs.accounts === undefined
        ? applyMode(job, github)
        : rolloutMode(job, inputs.accounts, github);
    case 'drift':
      return driftMode(job);
    case 'validate':
      return validateMode(job);
    case 'adopt':
      return adoptMode(job);
  }
}

/** Nothing was done. The log and the annotations show the problems. */
function stop(runner: Runner, problems: readonly Problem[], folder: string): number {
  runner.io.stderr.write(plainProblems(problems));
  for (const each of toAnnotations(problems, folder)) runner.annotate(each);
  const exitCode = exitCodeOf(problems);
  runner.output('exit-code', String(exitCode));
  return exitCode;
}

/** A runner that never shows a secret. */
function guarded(runner: Runner, redaction: Redaction): Runner {
  const { redact } = redaction;
  return {
    io: redactingIo(runner.io, redaction),
    annotate: (annotation) => runner.annotate({ ...annotation, message: redact(annotation.message) }),
    output: (name, value) => runner.output(name, redact(value)),
    mask: (secret) => runner.mask(secret),
    summary: (markdown) => runner.summary(redact(markdown)),
  };
}

/** GitHub, for the repository of this workflow. It is connected on first use. */
function githubOf({ token }: Pick<Inputs, 'token'>, io: Pick<Io, 'env' | 'clock'>) {
  let connected: ConnectedForge<Github> | undefined;
  const open = once((): Result<Github> => {
    const place = placeOf(token, io.env);
    if (!place.ok) return place;
    const made = connectForge(createGithub, place.value, io);
    if (!made.ok) return made;
    connected = made.value;
    return ok(connected.forge);
  });
  return { open, close: async () => connected?.close() };
}

function placeOf(token: Inputs['token'], env: Io['env']) {
  if (token === undefined) {
    return failed(problem('missing-credentials', 'the input "github-token" is empty', { hint: 'remove it' }));
  }
  const project = env['GITHUB_REPOSITORY'] ?? '';
  if (!/^[^/]+\/[^/]+$/.test(project)) {
    return failed(
      problem('configuration', 'GITHUB_REPOSITORY does not contain a repository', {
        hint: 'GitHub Actions sets it',
      }),
    );
  }
  return ok({ api: env['GITHUB_API_URL'] || 'https://api.github.com', project, token });
}

/** Writes what people changed in the fleet into the files of the checkout. A later step opens a pull request. */
async function adoptMode(job: Job): Promise<Outcome> {
  const argv = ['import', 'drift', ...stateFlags(job), ...observedFlag(job), '--', ...job.inputs.hosts];
  const end = await runCommand(argv, job);
  const note = end.code === exitCodes.success ? '' : '**Not every change was adopted.**\n\n';
  return textOutcome(end.code, `## Rampart adopt\n\n${note}`, end.text);
}

/** Always secret, whatever their values. */
const known = ['RAMPART_PSK', 'RAMPART_SESSION_ID', 'INPUT_GITHUB-TOKEN'];
/** For other names that look like secrets: shorter values may be ordinary words. */
const shortest = 16;

/**
 * Removes from all output the values of environment variables that look like secrets, the PSKs in files, and the values
 * that the account names. This happens before the first file of a pull request is read, because an error may quote one
 * of its lines.
 */
async function hideSecrets(
  env: Environment,
  cwd: string,
  { account, accounts }: Pick<Inputs, 'account' | 'accounts'>,
): Promise<Redaction> {
  const redaction = createRedaction();
  const named = Object.entries(env)
    .filter(([name, value = '']) => known.includes(name) || isSecret(name, value))
    .map(([, value]) => value);
  const isNamed = account !== undefined || accounts !== undefined;
  const file = isNamed ? await readAccounts({ folder: cwd, env }) : undefined;
  const all = file?.ok === true ? file.value.accounts : [];
  const chosen = accounts === undefined ? all.filter(({ name }) => name === account) : all;
  const own = chosen.map((each) => secretOf(each, env, cwd));
  const files = Object.keys(env).map((name) => contentOf(keyFileOf(name.replace(/_FILE$/, ''), env), cwd));
  const secrets = [...own, ...named, ...files];
  redaction.hide(secrets.flatMap((each) => each || []));
  return redaction;
}

function secretOf({ key }: AccountConfig, env: Environment, cwd: string): string | undefined {
  if (key?.kind === 'variable') return env[key.variable];
  if (key?.kind === 'session') return env[key.sessionIdVariable];
  return key?.kind === 'file' ? contentOf(key.file, cwd) : undefined;
}

/** The path of a secret is not a secret. */
function isSecret(name: string, value: string): boolean {
  return soundsSecret(name) && !/_FILE$|_PATH$/i.test(name) && value.length >= shortest;
}

function contentOf(path: string | undefined, cwd: string): string | undefined {
  if (path === undefined || path === '') return undefined;
  const file = keyIn(path, cwd);
  return file.ok ? file.value.key.trim() : undefined;
}
