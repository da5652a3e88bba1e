import { createServer, type IncomingMessage } from 'node:http';
import { listen } from './loopback.ts';

export interface StoredItem {
  readonly id: number;
  readonly by: string;
  readonly fields: Record<string, string>;
}

export interface AzureStandIn {
  /** What a scheduled pipeline has in its environment, if the step passes the token on. */
  readonly env: Readonly<Record<string, string>>;
  readonly items: StoredItem[];
  /** The states of a task, as the process of the project names them. */
  states: readonly { readonly name: string; readonly category: string }[];
  /** Called before each request is answered. */
  fault: (method: string, path: string) => { readonly status: number; readonly body?: object } | undefined;
}

const azureToken = `eyJ0${'aZ4'.repeat(20)}`;
const me = 'Fleet Build Service (acme)';

/**
 * What Azure DevOps does with the work items of one project, on this machine. The requests are those of version 7.0 in
 * `specification/wit/7.0/workItemTracking.json` of MicrosoftDocs/vsts-rest-api-specs:
 * - `GET workitemtypes/{type}/states` returns `name` and `category`
 * - `POST wiql` takes `query` and `$top`, and returns the ids in `workItems`; the team in its path is optional
 * - `GET workitems` takes at most 200 `ids`, and the names of `fields`
 * - `POST workitems/${type}` and `PATCH workitems/{id}` take `application/json-patch+json`
 */
export async function azureStandIn(): Promise<AzureStandIn> {
  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? '' : JSON.stringify(body));
    });
  });
  const port = await listen(server);
  let nextId = 40;
  const standIn: AzureStandIn = {
    env: {
      TF_BUILD: 'True',
      BUILD_REASON: 'Schedule',
      SYSTEM_COLLECTIONURI: `http://127.0.0.1:${port}/acme/`,
      SYSTEM_TEAMPROJECT: 'Our fleet',
      SYSTEM_ACCESSTOKEN: azureToken,
      BUILD_BUILDID: '77',
    },
    items: [],
    states: [
      { name: 'To Do', category: 'Proposed' },
      { name: "Won't do", category: 'Removed' },
      { name: 'Done', category: 'Completed' },
    ],
    fault: () => undefined,
  };
  return standIn;

  async function answer(
    request: IncomingMessage,
  ): Promise<{ readonly status: number; readonly body?: object }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const method = request.method ?? '';
    const fault = standIn.fault(method, pathname);
    if (fault !== undefined) return fault;
    // A page to sign in.
    if (request.headers.authorization !== `Bearer ${azureToken}`) return { status: 203 };
    const path = /^\/acme\/Our%20fleet\/_apis\/wit(\/.*)$/.exec(pathname)?.[1] ?? '';
    const sent = () => JSON.parse(Buffer.concat(chunks).toString()) as unknown;
    if (path === '/workitemtypes/Task/states') return { status: 200, body: { value: standIn.states } };
    if (path === '/wiql') {
      const found = chosen(sent()).slice(0, Number(searchParams.get('$top')));
      return { status: 200, body: { workItems: found.map(({ id }) => ({ id })) } };
    }
    if (path === '/workitems') {
      const ids = searchParams.get('ids')?.split(',').map(Number) ?? [];
      const value = standIn.items
        .filter(({ id }) => ids.includes(id))
        .map(({ id, fields }) => ({ id, fields: { 'System.Tags': fields['System.Tags'] } }));
      return { status: 200, body: { value } };
    }
    if (request.headers['content-type'] !== 'application/json-patch+json') return { status: 415 };
    const fields = Object.fromEntries(
      (sent() as readonly { readonly path: string; readonly value: string }[]).map(({ path: at, value }) => [
        at.replace('/fields/', ''),
        value,
      ]),
    );
    if (method === 'POST' && path === '/workitems/$Task') {
      const made = { id: nextId++, by: me, fields: { 'System.State': 'To Do', ...fields } };
      standIn.items.push(made);
      return { status: 200, body: made };
    }
    const found = standIn.items.find(({ id }) => path === `/workitems/${id}`);
    if (method !== 'PATCH' || found === undefined) return { status: 404, body: { message: 'TF401232' } };
    Object.assign(found.fields, fields);
    return { status: 200, body: found };
  }

  /** The items that the conditions of a query choose. */
  function chosen(sent: unknown): readonly StoredItem[] {
    const { query } = sent as { readonly query: string };
    const closed = Array.from(query.matchAll(/\[System\.State\] <> '((?:[^']|'')*)'/g), ([, name = '']) =>
      name.replaceAll("''", "'"),
    );
    const tag = /\[System\.Tags\] CONTAINS '([^']*)'/.exec(query)?.[1] ?? '';
    const isMine = query.includes('[System.CreatedBy] = @me');
    return standIn.items.filter(
      ({ by, fields }) =>
        (!isMine || by === me) &&
        (fields['System.Tags'] ?? '').includes(tag) &&
        !closed.includes(fields['System.State'] ?? ''),
    );
  }
}
