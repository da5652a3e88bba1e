import { z } from 'zod';
import { problem } from '../core/problem/problem.ts';
import { failed, ok } from '../core/problem/result.ts';
import type { GitlabOptions } from './gitlab-comments.ts';
import type { Labels } from './plan-label.ts';

const shape = z.object({ labels: z.array(z.string()) });

/** The labels of a merge request, over version 4 of GitLab's API, which creates labels that do not exist. */
export function createGitlabLabels({ client, ...options }: GitlabOptions): Labels {
  const [project, mergeRequest] = [options.project, options.mergeRequest].map(encodeURIComponent);
  const path = `/projects/${project}/merge_requests/${mergeRequest}`;
  return {
    async list() {
      const failure = "the labels of the merge request can't be read";
      const reply = await client.call({ failure, method: 'GET', path });
      if (!reply.ok) return reply;
      const read = shape.safeParse(reply.value.body);
      return read.success
        ? ok(read.data.labels)
        : failed(problem('malformed-response', 'GitLab did not return the labels of the merge request'));
    },
    change: ({ add, remove }) =>
      client.write({
        failure: "the labels of the merge request can't be changed",
        method: 'PUT',
        path,
        body: {
          ...(add === null ? {} : { add_labels: add.name }),
          ...(remove.length === 0 ? {} : { remove_labels: remove.join(',') }),
        },
      }),
  };
}
