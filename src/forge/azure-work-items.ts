import { z } from 'zod';
import { once } from '../core/lib/once.ts';
import { type Problem, problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import { escaped } from '../output/page/markup.ts';
import type { ForgeClient } from './forge-client.ts';
import type { IssueContent, Issues } from './issues.ts';

export interface AzureWorkItemsOptions {
  readonly client: ForgeClient;
  readonly project: string;
  readonly key: string;
}

/** Every process of Azure Boards has this type. Others, such as Issue, are missing from some. */
const itemType = 'Task';
/** Only our items have it. Each key has a tag of its own, too. */
const tag = 'rampart-drift';
const version = 'api-version=7.0';
/** In characters, well below the limit of a description. */
const textLimit = 500_000;
/** As many as one request returns. */
const mostItems = 200;

const foundShape = z.object({ workItems: z.array(z.object({ id: z.int() })) });
const itemsShape = z.object({
  value: z.array(z.object({ id: z.int(), fields: z.object({ 'System.Tags': z.string().optional() }) })),
});
const statesShape = z.object({ value: z.array(z.object({ name: z.string(), category: z.string() })) });

interface EndStates {
  readonly done: string;
  readonly all: readonly string[];
}

/** The work items of a project, over the REST API of Azure DevOps. */
export function createAzureWorkItems({ client, project, key }: AzureWorkItemsOptions): Issues {
  const base = `/${encodeURIComponent(project)}/_apis/wit`;
  // Boards don't distinguish the letter case of tags.
  const ownTag = `${tag}-${key}`.toLowerCase();

  /** The states of an item that is done, or that someone removed. */
  const endStates = once(async (): Promise<Result<EndStates>> => {
    const reply = await client.call({
      failure: "the states of work items can't be read",
      method: 'GET',
      path: `${base}/workitemtypes/${itemType}/states?${version}`,
    });
    if (!reply.ok) return reply;
    const read = statesShape.safeParse(reply.value.body);
    const states = read.success ? read.data.value : [];
    const named = (category: string) =>
      states.filter((each) => each.category === category).map(({ name }) => name);
    const [done] = named('Completed');
    if (done === undefined) return failed(malformed('states of work items'));
    return ok({ done, all: [...named('Completed'), ...named('Removed')] });
  });

  const change = (failure: string, id: string, fields: Readonly<Record<string, string>>) =>
    client.write({
      failure,
      method: 'PATCH',
      path: `${base}/workitems/${id}?${version}`,
      body: patchOf(fields),
      type: 'application/json-patch+json',
      repeatable: true,
    });

  return {
    async listOpen() {
      const states = await endStates();
      if (!states.ok) return states;
      const conditions = [
        '[System.TeamProject] = @project',
        `[System.WorkItemType] = '${itemType}'`,
        '[System.CreatedBy] = @me',
        // A project may have more items of other keys than one request returns.
        `[System.Tags] CONTAINS '${ownTag}'`,
        ...states.value.all.map((name) => `[System.State] <> '${name.replaceAll("'", "''")}'`),
      ];
      const query = `SELECT [System.Id] FROM WorkItems WHERE ${conditions.join(' AND ')} ORDER BY [System.Id]`;
      const failure = "the work items can't be read";
      const path = `${base}/wiql?${version}&$top=${mostItems}`;
      const reply = await client.call({ failure, method: 'POST', path, body: { query }, repeatable: true });
      if (!reply.ok) return reply;
      const found = foundShape.safeParse(reply.value.body);
      if (!found.success) return failed(malformed('work items'));
      const ids = found.data.workItems.map(({ id }) => id);
      if (ids.length === 0) return ok([]);
      const tagged = `${base}/workitems?ids=${ids.join(',')}&fields=System.Tags&${version}`;
      const items = await client.call({ failure, method: 'GET', path: tagged });
      if (!items.ok) return items;
      const read = itemsShape.safeParse(items.value.body);
      if (!read.success) return failed(malformed('work items'));
      const own = read.data.value.filter(({ fields }) => tagsOf(fields['System.Tags']).includes(ownTag));
      return ok(
        own
          .map(({ id }) => id)
          .toSorted((a, b) => a - b)
          .map(String),
      );
    },
    create: (content) =>
      client.write({
        failure: "the work item can't be created",
        method: 'POST',
        path: `${base}/workitems/$${itemType}?${version}`,
        body: patchOf({
          'System.Title': content.title,
          'System.Description': toHtml(content),
          'System.Tags': `${tag}; ${ownTag}`,
        }),
        type: 'application/json-patch+json',
      }),
    update: (id, content) =>
      change("the work item can't be changed", id, { 'System.Description': toHtml(content) }),
    async close(id, content) {
      const states = await endStates();
      if (!states.ok) return states;
      return change("the work item can't be closed", id, {
        'System.Description': toHtml(content),
        'System.State': states.value.done,
      });
    },
  };
}

function patchOf(fields: Readonly<Record<string, string>>): readonly object[] {
  return Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/fields/${name}`, value }));
}

function tagsOf(tags = ''): readonly string[] {
  return tags.split(';').map((each) => each.trim().toLowerCase());
}

/** Descriptions are HTML. Nothing in the text is interpreted. */
function toHtml({ summary, report, job }: IssueContent): string {
  const room = textLimit - escaped(summary).length - 1000;
  const lines: string[] = [];
  let length = 0;
  const all = report.trimEnd().split('\n');
  for (const line of all) {
    const text = escaped(line);
    length += text.length + 1;
    if (length > room) break;
    lines.push(text);
  }
  const left = all.length - lines.length;
  const rest = left === 0 ? '' : `\n… and ${left} more lines`;
  const link = job === undefined ? '' : `<p><a href="${escaped(job)}">Run</a></p>`;
  return `<p><b>${escaped(summary)}</b></p><pre>${lines.join('\n')}${rest}</pre>${link}`;
}

function malformed(what: string): Problem {
  return problem('malformed-response', `Azure DevOps did not return ${what}`);
}
