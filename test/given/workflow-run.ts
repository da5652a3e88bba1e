import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'yaml';
import { checkout, type StepEnd } from './action-step.ts';
import { newFolder } from './folder.ts';
import type { GithubStandIn } from './github-stand-in.ts';

interface Workflow {
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}
interface WorkflowJob {
  readonly if?: string;
  readonly steps: readonly WorkflowStep[];
}
interface WorkflowStep {
  readonly id?: string;
  readonly if?: string;
  /** Either an action, or lines for the shell. */
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** What starts a workflow, as GitHub puts it into the context `github`. */
export interface WorkflowEvent {
  readonly name: string;
  readonly payload: object;
  /** The commit and the ref of the run. */
  readonly sha: string;
  readonly ref: string;
}

export interface WorkflowRunner {
  /** The names of the files in the latest cache. */
  kept(): Promise<readonly string[]>;
  /** Runs the steps of each job in order. The results are those of the steps with our Action. */
  run(file: string, event: WorkflowEvent): Promise<readonly StepEnd[]>;
}

/** Runs workflows of a repository on this machine: checkouts, caches and artifacts are folders. */
export async function workflowRunner(
  repository: string,
  { github, secrets }: { readonly github: GithubStandIn; readonly secrets: Readonly<Record<string, string>> },
): Promise<WorkflowRunner> {
  const caches = newFolder();
  const saved: string[] = [];
  let runs = 0;

  return {
    async kept() {
      const last = saved.at(-1);
      return last === undefined ? [] : readdir(join(caches, last), { recursive: true });
    },
    async run(file, event) {
      const { jobs } = parse(await readFile(join(repository, '.github/workflows', file), 'utf8')) as Workflow;
      runs += 1;
      const ends: StepEnd[] = [];
      for (const job of Object.values(jobs)) ends.push(...(await runJob(job, event, String(runs))));
      return ends;
    },
  };

  async function runJob(job: WorkflowJob, event: WorkflowEvent, id: string): Promise<readonly StepEnd[]> {
    const steps: Record<string, { readonly outputs: StepEnd['outputs'] }> = {};
    const context = {
      github: {
        event: event.payload,
        event_name: event.name,
        repository: 'acme/fleet',
        run_id: id,
        run_attempt: '1',
      },
      secrets,
      inputs: {},
      steps,
      startsWith: (text = '', start = '') => text.startsWith(start),
      contains: (all: readonly unknown[], one: unknown) => all.includes(one),
      fromJSON: (text: string) => JSON.parse(text) as unknown,
      always: () => true,
    };
    const evaluate = (expression: string) =>
      runInNewContext(asScript(expression), context) as string | number | boolean | undefined;
    const filled = (text: unknown) =>
      String(text).replaceAll(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
        String(evaluate(expression) ?? ''),
      );
    if (job.if !== undefined && evaluate(job.if) !== true) return [];
    const place = await checkout(github);
    const temp = newFolder();
    Object.assign(context, { runner: { temp } });
    const environmentOf = (step: WorkflowStep) =>
      Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, filled(value)]));
    const ends: StepEnd[] = [];
    for (const step of job.steps) {
      const isDue = step.if === undefined ? ends.every(({ code }) => code === 0) : evaluate(step.if) === true;
      if (!isDue) continue;
      const given = Object.fromEntries(
        Object.entries(step.with ?? {}).map(([name, value]) => [name, filled(value)]),
      );
      const uses = step.uses?.split('@')[0];
      if (uses === undefined) {
        const env = { PATH: process.env['PATH'], RUNNER_TEMP: temp, ...environmentOf(step) };
        execFileSync('bash', ['-e', '-c', filled(step.run)], { cwd: place.folder, env, stdio: 'ignore' });
      } else if (uses === 'actions/checkout') {
        execFileSync('git', ['clone', '--quiet', '--mirror', repository, join(place.folder, '.git')]);
        const git = (...argv: readonly string[]) => execFileSync('git', argv, { cwd: place.folder });
        git('config', '--bool', 'core.bare', 'false');
        git('checkout', '--quiet', '--detach', given['ref'] ?? event.sha);
      } else if (uses === 'actions/cache/restore') {
        const key = saved.findLast((each) => each.startsWith(given['restore-keys'] ?? ''));
        if (key !== undefined)
          await cp(join(caches, key), join(place.folder, given['path'] ?? ''), { recursive: true });
      } else if (uses === 'actions/cache/save') {
        const from = join(place.folder, given['path'] ?? '');
        if ((await stat(from).catch(() => undefined)) === undefined) continue;
        await mkdir(caches, { recursive: true });
        await cp(from, join(caches, given['key'] ?? ''), { recursive: true });
        saved.push(given['key'] ?? '');
      } else if (uses === 'actions/upload-artifact') {
        const paths = (given['path'] ?? '').split('\n').filter((path) => path !== '');
        for (const path of paths) await stat(path);
      } else {
        const end = await place.step({
          event: 'workflow_dispatch',
          eventName: event.name,
          change: () => JSON.stringify(event.payload),
          inputs: given,
          env: {
            GITHUB_ACTIONS: 'true',
            GITHUB_SHA: event.sha,
            GITHUB_REF: event.ref,
            GITHUB_WORKSPACE: place.folder,
            ...environmentOf(step),
          },
        });
        if (step.id !== undefined) steps[step.id] = { outputs: end.outputs };
        ends.push(end);
      }
    }
    return ends;
  }
}

/** Missing members are null in GitHub's expressions, and names may contain dashes. */
function asScript(expression: string): string {
  return expression
    .replaceAll(/\.(\w+(?:-\w+)+)/g, "?.['$1']")
    .replaceAll(/(?<=\w)\.(?=[a-z_]+\b)(?![^']*'(?:[^']*'[^']*')*[^']*$)/g, '?.');
}
