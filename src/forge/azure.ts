import { z } from 'zod';
import { once } from '../core/lib/once.ts';
import { count } from '../core/lib/words.ts';
import { ok } from '../core/problem/problem.ts';
import type { Forge, ForgeResult, IssueContent, Issues } from './forge.ts';
import {
  createForgeClient,
  type ForgeClient,
  type ForgePlace,
  type ForgeTransport,
  rootOf,
} from './forge-client.ts';

/** Every process of Azure Boards has this type. Others, such as Issue, are missing from some. */
const itemType = 'Task';
/** Only our items have it. Each key has its own tag, too. */
const tag = 'rampart-drift';
const query = { 'api-version': '7.0' };
/** In characters, well below the limit of a description. */
const textLimit = 500_000;
/** As many as one request returns. */
const mostItems = 200;

const foundShape = z.object({ workItems: z.array(z.object({ id: z.int() })) });
const itemsShape = z.object({
  value: z.array(z.object({ id: z.int(), fields: z.object({ 'System.Tags': z.string().optional() }) })),
});
const statesShape = z.object({ value: z.array(z.object({ name: z.string(), category: z.string() })) });

/** The REST API of Azure DevOps. Its issues are the work items of a project. */
export function createAzure({ api, project, token }: ForgePlace, transport: ForgeTransport): Forge {
  const headers = { authorization: `Bearer ${token}` };
  const root = `${rootOf(api)}/${encodeURIComponent(project)}/_apis/wit`;
  const client = createForgeClient(transport, { forge: 'Azure DevOps', headers, root });
  // Boards don't distinguish the letter case of tags.
  return { issues: (key) => workItemsOf(client, `${tag}-${key}`.toLowerCase()) };
}

function workItemsOf(client: ForgeClient, ownTag: string): Issues {
  const endStates = once(() => readEndStates(client));
  const change = (failure: string, id: string, fields: Readonly<Record<string, string>>) =>
    client.write({
      failure,
      method: 'PATCH',
      path: `/workitems/${id}`,
      query,
      body: patchOf(fields),
      type: 'application/json-patch+json',
      repeatable: true,
    });

  return {
    async listOpen() {
      const states = await endStates();
      if (!states.ok) return states;
      const failure = "the work items can't be read";
      const what = 'work items';
      const found = await client.read(
        {
          failure,
          path: '/wiql',
          query: { ...query, $top: String(mostItems) },
          body: { query: queryFor(ownTag, states.value.all) },
          repeatable: true,
        },
        { what, shape: foundShape },
      );
      if (!found.ok) return found;
      const ids = found.value.workItems.map(({ id }) => id);
      if (ids.length === 0) return ok([]);
      const items = await client.read(
        { failure, path: '/workitems', query: { ...query, ids: ids.join(','), fields: 'System.Tags' } },
        { what, shape: itemsShape },
      );
      if (!items.ok) return items;
      const own = items.value.value.filter(({ fields }) => tagsOf(fields['System.Tags']).includes(ownTag));
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
        path: `/workitems/$${itemType}`,
        query,
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

/** The states of an item that is done, or that someone removed. */
function readEndStates(client: ForgeClient): Promise<ForgeResult<z.output<typeof endStatesShape>>> {
  return client.read(
    { failure: "the states of work items can't be read", path: `/workitemtypes/${itemType}/states`, query },
    { what: 'states of work items', shape: endStatesShape },
  );
}

const endStatesShape = statesShape.transform(({ value }, context) => {
  const named = (wanted: string) =>
    value.filter(({ category }) => category === wanted).map(({ name }) => name);
  const [done] = named('Completed');
  if (done === undefined) {
    context.addIssue('no state is the end');
    return z.NEVER;
  }
  return { done, all: [...named('Completed'), ...named('Removed')] };
});

function queryFor(ownTag: string, endStates: readonly string[]): string {
  const conditions = [
    '[System.TeamProject] = @project',
    `[System.WorkItemType] = '${itemType}'`,
    '[System.CreatedBy] = @me',
    // A project may have more items of other keys than one request returns.
    `[System.Tags] CONTAINS '${ownTag}'`,
    ...endStates.map((name) => `[System.State] <> '${name.replaceAll("'", "''")}'`),
  ];
  return `SELECT [System.Id] FROM WorkItems WHERE ${conditions.join(' AND ')} ORDER BY [System.Id]`;
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
  const rest = left === 0 ? '' : `\n… and ${count(left, 'more line')}`;
  const link = job === undefined ? '' : `<p><a href="${escaped(job)}">Run</a></p>`;
  return `<p><b>${escaped(summary)}</b></p><pre>${lines.join('\n')}${rest}</pre>${link}`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
