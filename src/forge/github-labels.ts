import type { Octokit } from '@octokit/rest';
import { z } from 'zod';
import type { Clock } from '../core/lib/clock.ts';
import { problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import { callForge, type ForgeReply } from './forge-call.ts';
import { type Answer, reply } from './github-reply.ts';
import type { LabelChange, Labels, Verdict } from './plan-label.ts';

export interface LabelsOptions {
  readonly octokit: Octokit;
  readonly here: { readonly owner: string; readonly repo: string };
  readonly clock: Clock;
  readonly pullRequest: number;
}

/** GitHub never adds more labels to a pull request. */
const mostLabels = 100;

/** The color and the description of a label that is created. */
const looks: Readonly<Record<Verdict, readonly [color: string, description: string]>> = {
  'no-changes': ['0e8a16', 'The plan of Rampart changes nothing'],
  changes: ['1d76db', 'The plan of Rampart changes hosts and deletes none'],
  deletes: ['d93f0b', 'The plan of Rampart deletes hosts'],
  failed: ['b60205', "Rampart made no plan, or the plan can't be applied"],
};

const listShape = z.array(z.object({ name: z.string() }));

/** The labels of a pull request on GitHub. */
export function createGithubLabels({ octokit, here, clock, pullRequest }: LabelsOptions): Labels {
  const { issues } = octokit.rest;
  const onRequest = { ...here, issue_number: pullRequest };
  const call = (failure: string, send: () => Promise<Answer>) =>
    callForge({ failure, repeatable: true, send: () => reply(send()) }, clock);

  /** Two jobs may create the same label at once. */
  async function ensure({ name, verdict }: NonNullable<LabelChange['add']>): Promise<Result<unknown>> {
    const found = await call(`the label ${name} can't be read`, () => issues.getLabel({ ...here, name }));
    if (found.ok || !has(found, 'not-found')) return found;
    const [color, description] = looks[verdict];
    const made = await call(`the label ${name} can't be created`, () =>
      issues.createLabel({ ...here, name, color, description }),
    );
    return has(made, 'bad-request')
      ? call(`the label ${name} can't be created`, () => issues.getLabel({ ...here, name }))
      : made;
  }

  return {
    async list() {
      const listed = await call("the labels of the pull request can't be read", () =>
        issues.listLabelsOnIssue({ ...onRequest, per_page: mostLabels }),
      );
      if (!listed.ok) return listed;
      const read = listShape.safeParse(listed.value.body);
      return read.success
        ? ok(read.data.map(({ name }) => name))
        : failed(problem('malformed-response', 'GitHub did not return labels'));
    },
    async change({ add, remove }) {
      if (add !== null) {
        const ensured = await ensure(add);
        if (!ensured.ok) return ensured;
        const added = await call(`the label ${add.name} can't be added`, () =>
          issues.addLabels({ ...onRequest, labels: [add.name] }),
        );
        if (!added.ok) return added;
      }
      for (const name of remove) {
        const removed = await call(`the label ${name} can't be removed`, () =>
          issues.removeLabel({ ...onRequest, name }),
        );
        if (!removed.ok && !has(removed, 'not-found')) return removed;
      }
      return ok(null);
    },
  };
}

function has(result: Result<ForgeReply>, code: string): boolean {
  return !result.ok && result.problems.some((each) => each.code === code);
}
