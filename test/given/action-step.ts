import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Annotation } from '../../src/action/annotations.ts';
import { runAction } from '../../src/action/run-action.ts';
import type { Environment } from '../../src/core/lib/surroundings.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { newFolder } from './folder.ts';
import { gitIn } from './git.ts';
import type { GithubStandIn, StoredComment } from './github-stand-in.ts';
import { nobodyListens } from './loopback.ts';

/** A token of the shape that workflows have. */
export const testToken = `ghs_${'aB3'.repeat(12)}`;

/** What one step of a workflow has left behind. */
export interface StepEnd {
  readonly code: number;
  readonly log: string;
  readonly annotations: readonly Annotation[];
  readonly outputs: Readonly<Record<string, string>>;
  /** The secrets that the runner hides from then on. */
  readonly masks: readonly string[];
  readonly summary: string;
}

export interface StepOptions {
  /** A file of `test/action/payloads`, which names its event: `push`, `pull_request.fork`. */
  readonly event?: string;
  /** The event, if it differs from the one for which the file was recorded. */
  readonly eventName?: string;
  /** What is otherwise in the payload than it was recorded. */
  readonly change?: (payload: string) => string;
  readonly env?: Environment;
  readonly inputs?: Readonly<Record<string, string>>;
}

export interface Checkout {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  /** Runs git in this folder, and returns what it prints. */
  git(...argv: readonly string[]): string;
  /** Runs the action in this folder. */
  step(options: StepOptions): Promise<StepEnd>;
}

const payloads = join(import.meta.dirname, '../action/payloads');

/** A checked-out folder, and a runner that records its messages. */
export async function checkout(github?: GithubStandIn): Promise<Checkout> {
  const folder = newFolder();
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    git: gitIn(folder),
    async step({
      event = 'workflow_dispatch',
      eventName,
      change = (payload) => payload,
      env = {},
      inputs = {},
    }) {
      const payload = join(folder, '.event.json');
      await writeFile(payload, change(await readFile(join(payloads, `${event}.json`), 'utf8')));
      const log: string[] = [];
      const annotations: Annotation[] = [];
      const outputs: Record<string, string> = {};
      const summary: string[] = [];
      const masks: string[] = [];
      const stream = { write: (text: string) => void log.push(text), isTerminal: false, columns: null };
      const code = await runAction({
        io: {
          env: {
            PATH: process.env['PATH'],
            ...stepEnvironment(github?.url),
            ...inputVariables({ 'github-token': testToken, ...inputs }),
            GITHUB_EVENT_NAME: eventName ?? event.split('.')[0],
            GITHUB_EVENT_PATH: payload,
            RUNNER_TEMP: folder,
            ...env,
          },
          cwd: folder,
          stdout: stream,
          stderr: stream,
          clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true }),
          prompt: async () => null,
          onInterrupt: () => () => {},
          onCrash: () => () => {},
          exitNow: () => {},
        },
        annotate: (each) => void annotations.push(each),
        output: (name, value) => {
          outputs[name] = value;
        },
        mask: (secret) => void masks.push(secret),
        summary: async (markdown) => void summary.push(markdown),
      });
      return { code, log: log.join(''), annotations, outputs, masks, summary: summary.join('') };
    },
  };
}

/** The event of a new comment on pull request 12. */
export function commentEvent(
  comment: StoredComment,
  repository: object,
  change: object = {},
): Pick<StepOptions, 'eventName' | 'change'> {
  const issue = { number: 12, pull_request: {} };
  return {
    eventName: 'issue_comment',
    change: () => JSON.stringify({ action: 'created', issue, comment, repository, ...change }),
  };
}

export function stepEnvironment(apiUrl = nobodyListens): Readonly<Record<string, string>> {
  return {
    GITHUB_API_URL: apiUrl,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'acme/fleet',
    GITHUB_RUN_ID: '4711',
  };
}

/** As a runner passes `with:` to an action. */
export function inputVariables(inputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
  );
}
