import { readBaseState } from '../cli/planning/read-desired-state.ts';
import { createContext } from '../cli/shell/context.ts';
import { toSettings } from '../cli/shell/settings.ts';
import { note, type Problem } from '../core/problem/problem.ts';
import type { Event } from './event.ts';
import type { Job } from './job.ts';
import { hasCommit } from './trust.ts';

export interface BaseFlags {
  readonly flags: readonly string[];
  readonly problems: readonly Problem[];
}

/** The base that a plan is compared with. By default, the base of the pull request if it can be read. */
export async function baseFlags(job: Job): Promise<BaseFlags> {
  const { base } = job.inputs;
  if (base === 'off') return { flags: [], problems: [] };
  if (base !== 'auto') return { flags: [`--base=${base.revision}`], problems: [] };
  const commit = baseOf(job.event);
  if (commit === undefined) return { flags: [], problems: [] };
  const why = await whyNot(commit, job);
  return why === undefined
    ? { flags: [`--base=${commit}`], problems: [] }
    : { flags: [], problems: [without(why)] };
}

/** The commit whose changes decide which accounts are planned; undefined for all accounts. */
export async function changedSince(job: Job): Promise<string | undefined> {
  const { base } = job.inputs;
  if (base === 'off') return undefined;
  if (base !== 'auto') return base.revision;
  const commit = baseOf(job.event);
  const options = { cwd: job.folder, env: job.runner.io.env };
  return commit !== undefined && (await hasCommit(commit, options)) ? commit : undefined;
}

function baseOf(event: Event): string | undefined {
  return event.kind === 'pull-request' || event.kind === 'merge-group' ? event.base : undefined;
}

/** Undefined if the base can be read. The first commit of a repository has no base. */
async function whyNot(commit: string, job: Job): Promise<string | undefined> {
  if (!(await hasCommit(commit, { cwd: job.folder, env: job.runner.io.env })))
    return "its commit is not in the checkout and can't be fetched";
  const { runner, folder, inputs, redaction } = job;
  const silent = { write() {}, isTerminal: false, columns: null };
  const io = { ...runner.io, cwd: folder, stdout: silent, stderr: silent };
  const context = createContext(io, toSettings({ format: 'text', color: false }, io), redaction);
  const state = await readBaseState(commit, inputs.files, context);
  return state.ok ? undefined : (state.problems[0]?.message ?? "it can't be read");
}

function without(why: string): Problem {
  return note('configuration', `the plan is not compared with the base of this change: ${why}`, {
    hint: 'set fetch-depth: 0 on actions/checkout to fetch every commit, or set base: off for no comparison',
  });
}
