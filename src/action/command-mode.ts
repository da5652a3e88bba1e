import { defined } from '../core/lib/defined.ts';
import { type Problem, problem, type Result } from '../core/problem/problem.ts';
import type { Github } from '../forge/github.ts';
import { fenced } from '../output/review/fenced.ts';
import { plainProblems } from '../output/review/problem-text.ts';
import { type ExitCode, exitCodeOf, exitCodes, isGood } from '../run/apply/exit-code.ts';
import { type AllowedCommand, checkCommand } from './check-command.ts';
import { type CommentCommand, commandForms, readCommentCommand } from './comment-command.ts';
import type { CommentEvent } from './event.ts';
import type { Job, Outcome } from './job.ts';
import { runLink } from './publish.ts';
import { runCommand, stateFlags } from './run-command.ts';
import { distrusted } from './trust.ts';

export interface CommandModeParts {
  readonly github: () => Result<Github>;
  /** Runs a mode and publishes its outcome. */
  readonly carryOut: (job: Job) => Promise<Outcome>;
}

export interface CommandModeEnd {
  readonly exitCode: ExitCode;
  readonly problems: readonly Problem[];
}

const replyLimit = 60_000;

/** Carries out a comment on a pull request, and replies with a reaction and a comment. */
export async function commandMode(job: Job, parts: CommandModeParts): Promise<CommandModeEnd> {
  const { event } = job;
  if (event.kind !== 'comment') {
    const hint = 'start the workflow on issue_comment with types: [created]';
    const wrong = problem('usage', 'mode command works only for a new comment', { hint });
    return { exitCode: exitCodeOf([wrong]), problems: [wrong] };
  }
  const command = readCommentCommand(event.body);
  if (command === undefined) return { exitCode: exitCodes.success, problems: [] };
  const api = parts.github();
  if (!api.ok) return { exitCode: exitCodeOf(api.problems), problems: api.problems };
  const answer = createAnswer(job, event, api.value);
  if (command === null) {
    const allowed = await checkCommand(job, api.value, { command: { kind: 'plan' }, event });
    const wrong = problem('usage', 'this command does not exist', { hint: `there are ${commandForms}` });
    // Strangers get no reply to a mistyped command.
    return allowed.ok ? answer.refuse([wrong]) : { exitCode: exitCodeOf([wrong]), problems: [wrong] };
  }
  const allowed = await checkCommand(job, api.value, { command, event });
  if (!allowed.ok) {
    return allowed.isSilent === true
      ? { exitCode: exitCodeOf(allowed.problems), problems: allowed.problems }
      : answer.refuse(allowed.problems);
  }
  const distrust = await distrusted(job);
  if (distrust.length > 0) return answer.refuse(distrust);
  await api.value.react(event.comment, 'eyes');
  return obey(subJob(job, event, allowed.value), { command, allowed: allowed.value, answer, parts });
}

/** The job of a run for the pull request, on the commit of the checkout. */
function subJob(job: Job, { pullRequest }: CommentEvent, { request, checkout, base }: AllowedCommand): Job {
  const { runner, inputs, event } = job;
  const number = pullRequest ?? 0;
  const env = { ...runner.io.env, GITHUB_SHA: checkout, GITHUB_REF: `refs/pull/${number}/merge` };
  const { reviewed, defaultBranch } = event;
  return {
    ...job,
    runner: { ...runner, io: { ...runner.io, env } },
    inputs: { ...inputs, mode: 'plan', comment: 'recreate', commentWhen: 'always' },
    event: {
      kind: 'pull-request',
      number,
      base,
      head: request.head,
      merged: false,
      isFork: request.isFork,
      ...defined({ reviewed, defaultBranch }),
    },
  };
}

interface Order {
  readonly command: CommentCommand;
  readonly allowed: AllowedCommand;
  readonly answer: ReturnType<typeof createAnswer>;
  readonly parts: CommandModeParts;
}

async function obey(job: Job, { command, allowed, answer, parts }: Order): Promise<CommandModeEnd> {
  const { author, checksum } = allowed;
  const isRollout = job.inputs.accounts !== undefined;
  switch (command.kind) {
    case 'plan': {
      // The plan is the reply: its comment moves to the end of the conversation.
      const { exitCode, problems } = await parts.carryOut(job);
      return answer.end(exitCode, problems);
    }
    case 'apply': {
      const applied = await parts.carryOut({
        ...job,
        inputs: {
          ...job.inputs,
          mode: 'apply',
          ...(checksum === undefined ? {} : { checksum }),
          // The flags belong to the plans, in which they already have their effect.
          ...(isRollout ? { flags: [] } : {}),
        },
      });
      await answer.write(`\`/rampart apply\` by ${author}`, applied.markdown);
      // The remaining plan is the next one to review, and the one that the merge applies. A rollout that is not done
      // keeps its plans in the comment, so that the same command continues it.
      if (!isRollout || applied.exitCode === exitCodes.success)
        await parts.carryOut({ ...job, inputs: { ...job.inputs, comment: 'update' } });
      job.runner.output('exit-code', String(applied.exitCode));
      return answer.end(applied.exitCode, applied.problems);
    }
    case 'explain': {
      if (isRollout) return answer.refuse([explainsOne]);
      const end = await runCommand(['explain', ...stateFlags(job), '--', command.host], job);
      await answer.write(`\`/rampart explain\` by ${author}`, (limit) => fenced(end.text, limit));
      return answer.end(end.code, []);
    }
  }
}

const explainsOne = problem('usage', '/rampart explain works for one account, and this job is for several', {
  hint: 'use the input "account", or run rampart explain HOST --account NAME',
});

/** Replies to one comment. A reply that can't be written is logged, and does not change the job's own result. */
function createAnswer(job: Job, { comment, pullRequest }: CommentEvent, api: Github) {
  const { runner, redaction } = job;
  const log = (done: Result<unknown>) => {
    if (!done.ok) runner.io.stderr.write(plainProblems(done.problems));
  };
  const write = async (title: string, markdown: (limit: number) => string) => {
    const foot = runLink(job).length === 0 ? '' : `\n<sub>${runLink(job).join(' · ')}</sub>\n`;
    const body = `**${title}**\n\n${markdown(replyLimit)}${foot}`;
    log(await api.commentsOn(pullRequest ?? 0).create(redaction.redact(body)));
  };
  return {
    write,
    async end(exitCode: ExitCode, problems: readonly Problem[]): Promise<CommandModeEnd> {
      log(await api.react(comment, isGood(exitCode) ? '+1' : '-1'));
      return { exitCode, problems };
    },
    async refuse(problems: readonly Problem[]): Promise<CommandModeEnd> {
      log(await api.react(comment, '-1'));
      await write('Rampart did nothing', (limit) => fenced(plainProblems(problems), limit));
      return { exitCode: exitCodeOf(problems), problems };
    },
  };
}
