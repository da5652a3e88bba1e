import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fenced } from '../../output/review/fenced.ts';
import { changedSince } from './base-flags.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { type CommandEnd, runCommand, stateFlags } from './run-command.ts';

/** In characters. A comment has room for it and for the files that touch accounts. */
const reviewLimit = 60_000;
const title = '## Rampart plan\n\n';

/** Plans the selected accounts that the change touches, with one review for all. */
export async function accountsMode(job: Job, accounts: string): Promise<Outcome> {
  const since = await changedSince(job);
  const folder = await plansFolder(job);
  const end = await runCommand(
    [
      'plan',
      ...stateFlags(job),
      `--accounts=${accounts}`,
      ...(since === undefined ? [] : [`--changed-since=${since}`]),
      '--format=markdown',
      `--markdown-limit=${reviewLimit}`,
      '--detailed-exitcode',
      `--out=${folder}`,
    ],
    job,
  );
  return {
    exitCode: end.code,
    problems: [],
    markdown: (limit) => review(end, limit),
    outputs: end.out === '' ? {} : { 'plan-path': folder },
  };
}

/** Only the default folder is emptied: an earlier step may have left plans there. */
async function plansFolder({ inputs, folder, runner }: Job): Promise<string> {
  if (inputs.planPath !== undefined) return resolve(folder, inputs.planPath);
  const usual = join(runner.io.env['RUNNER_TEMP'] || folder, `rampart-${inputs.key}.plans`);
  await rm(usual, { recursive: true, force: true });
  return usual;
}

/** The review, below the files that touch accounts. */
function review(end: CommandEnd, limit: number): string {
  const log = end.text.replace(end.out, '');
  const touched = /^The files changed since .*\n(?: {2}.*\n)*/m.exec(log)?.[0] ?? '';
  const foot =
    touched === ''
      ? ''
      : `\n\n${fenced(touched, Math.max(0, Math.min(limit / 4, limit - end.out.length - 10)))}`;
  if (end.out !== '' && end.out.length + foot.length <= limit) return end.out + foot;
  const head = end.out === '' ? title : `${title}The review does not fit in a comment: see the log.\n\n`;
  return head + fenced(end.out === '' ? log : touched, limit - head.length);
}
