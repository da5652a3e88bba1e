import type { z } from 'zod';
import { serverApiDocument } from '../../src/server/http/open-api.ts';
import type { ApiRoute } from '../../src/server/http/route.ts';
import { type JsonSchema, membersOf, nameOf, typeWords } from './schema-words.ts';

/** `docs/reference/server-api.md`: how the API works. The site adds its operations. */
export function serverApiPage(): string {
  return `${[
    '# Server API',
    '<!-- Written by `npm run docs`: change bin/docs/server-api-page.ts, not this page. -->',
    'Rampart Server serves a REST API with JSON below `/api/v1`. The console and `rampart --server` use nothing else. [`schema/server-api.json`](../../schema/server-api.json) describes every operation in OpenAPI 3.1, and a running server serves it at `/api/v1/openapi.json`.',
    '## Conventions',
    conventions,
    '## Errors',
    errors,
    '## Client',
    client,
    '## Operations',
    'The site shows every operation here, with its method of the client, its parameters, its body and its response.',
    '<ServerApi />',
  ].join('\n\n')}\n`;
}

/** A part of the viewer on the site: its details are Markdown. */
export interface ViewerPart {
  readonly title: string;
  readonly anchor: string;
  readonly summary: string;
  readonly details: string;
}

export interface ViewerSection {
  readonly title: string;
  readonly parts: readonly ViewerPart[];
}

/**
 * What the viewer on the site shows: the operations by subject, and the shapes in their responses.
 *
 * @public
 */
export function viewerSections(routes: readonly ApiRoute[]): readonly ViewerSection[] {
  const api = serverApiDocument(routes) as unknown as ApiDocument;
  return [
    ...[...Map.groupBy(routes, ({ tag }) => tag)].map(([tag, own]) => ({
      title: tag,
      parts: own.map((each) => operation(each, api)),
    })),
    {
      title: 'Shapes',
      parts: answeredShapes(routes, api).map(([name, schema]) => ({
        title: name,
        anchor: name.toLowerCase(),
        summary: '',
        details: members(schema) === '' ? `${typeWords(schema)}.` : members(schema),
      })),
    },
  ];
}

const conventions = [
  '- **Authentication.** Send `Authorization: Bearer <token>`. An administrator creates tokens in the console or with `POST /api/v1/tokens`, and a pipeline exchanges its OIDC token at `POST /api/v1/exchange`.',
  '- **Access.** Each operation needs one action, and a role allows actions for some accounts or all. Accounts that you may not see, and their hosts, plans and runs, return 404 as missing ones do.',
  '- **Unknown fields.** An operation refuses query parameters and fields of a body that it does not know, with 422 and their names.',
  '- **Pages.** A list returns `items` and, if there are more, `next`. Send `next` as `cursor` to get the following page. `limit` is 1 to 500, and 100 by default.',
  '- **Caching.** Responses have an `ETag`. With `If-None-Match`, an unchanged response is 304 without a body. With `If-Match`, a write is refused with 412 if its resource has changed.',
  '- **Idempotency.** Send `Idempotency-Key` with writes. The same key with the same request returns the first response and does nothing again. The same key with another request is 422.',
  '- **Proxies** must keep the header `x-rampart-server`.',
  '- **Events.** `GET /api/v1/events` is a stream of server-sent events with the ids of what changed. If you may not see all accounts, a change of several accounts has no id. It continues after the event that `Last-Event-ID` names. An event `reset` means that events were lost: read again what you show.',
  '- **Limits.** A request body has at most 1 MB, and its headers at most 16 kB. Each token may send 200 requests at once and 50 per second in the long run. Each person or token may have 50 event streams open, each network address 200, and each process serves 1,000. Beyond that, the response is 429 with `Retry-After`.',
].join('\n');

const errors =
  'An error is `application/problem+json` (RFC 9457). `code` is an error code of Rampart, as in the output of the command line, `detail` says what is wrong, and `hint` what to do. `problems` lists all of them if there are several.\n\n' +
  [
    '```json',
    '{',
    '  "type": "urn:rampart:problem:ack-mismatch",',
    '  "title": "Invalid request",',
    '  "status": 422,',
    '  "detail": "the plan has 12 deletions, but the limit is 5; delete=11 does not match",',
    '  "code": "ack-mismatch",',
    '  "hint": "review each of them, then approve exactly delete=12"',
    '}',
    '```',
  ].join('\n');

const client = [
  '`rampart/client` has one method for each operation, with the names below. A failure is a value. A request is sent again after a failure that may pass, with the same idempotency key.',
  '',
  '```ts',
  '// drifted-accounts.ts',
  "import { createClient } from 'rampart/client';",
  '',
  "const token = process.env.RAMPART_SERVER_TOKEN ?? '';",
  "const client = createClient({ url: 'https://rampart.example.com', token });",
  '',
  "const drifted = await client.listAccounts({ health: 'drifted,failing' });",
  'if (!drifted.ok) throw new Error(drifted.problem.detail ?? drifted.problem.title);',
  'for (const { name, health } of drifted.value.items) console.log(name, health);',
  '```',
].join('\n');

function short({ path }: ApiRoute): string {
  return path.slice('/api/v1'.length);
}

function title(route: ApiRoute): string {
  return `${route.method.toUpperCase()} ${short(route)}`;
}

function operation(route: ApiRoute, api: ApiDocument): ViewerPart {
  const { id, summary, access, params, query, status = 200, guards, method } = route;
  const inputs = [...rows(params, 'path'), ...rows(query, 'query')];
  const takes = [
    ...(route.body === undefined ? [] : ['a JSON body']),
    ...(method === 'get' ? [] : ['`Idempotency-Key`']),
    ...(guards === undefined ? [] : ['`If-Match`']),
  ];
  const answer = answerOf(route, api);
  const members = answer === undefined || isPage(answer) ? [] : inside(answer);
  const details = [
    `Method of the client: \`${id}\`. Needs the action \`${access.action}\`${scopeWords[access.on]}. Returns ${status}${answerWords(route, answer)}.${
      takes.length === 0 ? '' : ` Takes ${takes.join(', ')}.`
    }`,
    ...(inputs.length === 0 ? [] : [table(['parameter', 'in', 'type'], inputs)]),
    ...(route.body === undefined
      ? []
      : [
          'The body:',
          table(
            ['field', 'type', 'required', 'meaning'],
            membersOf(route.body.toJSONSchema({ io: 'input' }) as JsonSchema),
          ),
        ]),
    ...(members.length === 0 ? [] : ['The response:', shapeTable(members)]),
  ].join('\n\n');
  return { title: title(route), anchor: id.toLowerCase(), summary, details };
}

/** The schema of a response; undefined if it has no body. */
function answerOf({ path, method, status = 200 }: ApiRoute, api: ApiDocument): JsonSchema | undefined {
  const { content = {} } = api.paths[path]?.[method]?.responses[status] ?? {};
  return Object.values(content)[0]?.schema;
}

/** Whether it lists a shape that is described on its own. */
function isPage({ properties }: JsonSchema): boolean {
  return properties?.['items']?.items?.$ref !== undefined;
}

/** ` with a page of RunRow`: the body of a response. */
function answerWords({ media }: ApiRoute, answer: JsonSchema | undefined): string {
  if (answer === undefined) return ' without a body';
  if (media === 'text/event-stream') return ` with a stream of ${typeWords(answer)}`;
  if (answer.$ref !== undefined) return ` with ${typeWords(answer)}`;
  const { items, next } = answer.properties ?? {};
  if (items?.items === undefined) return '';
  return ` with \`items\`, a ${typeWords(items)}${next === undefined ? '' : ', and `next`'}`;
}

/** The named shapes in the responses of these routes, and the shapes inside them, by name. */
function answeredShapes(
  routes: readonly ApiRoute[],
  api: ApiDocument,
): readonly (readonly [string, JsonSchema])[] {
  const found = new Map<string, JsonSchema>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as JsonSchema;
    const name = $ref === undefined ? undefined : nameOf($ref);
    const schema = name === undefined ? undefined : api.components.schemas[name];
    if (name !== undefined && schema !== undefined && !found.has(name)) {
      found.set(name, schema);
      look(schema);
    }
    Object.values(value).forEach(look);
  };
  for (const route of routes) look(answerOf(route, api));
  return [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function members(schema: JsonSchema): string {
  const rows = inside(schema);
  return rows.length === 0 ? '' : shapeTable(rows);
}

/** The fields of a response. Shapes with a name are described separately. */
function inside(schema: JsonSchema): readonly (readonly string[])[] {
  return membersOf(schema).map(([name = '', type = '', required = '', meaning = '']) => [
    name,
    type,
    required === 'yes' ? 'yes' : 'no',
    meaning,
  ]);
}

/** Without a column of meanings that no row fills. */
function shapeTable(rows: readonly (readonly string[])[]): string {
  const isExplained = rows.some(([, , , meaning = '']) => meaning !== '');
  return isExplained
    ? table(['field', 'type', 'always there', 'meaning'], rows)
    : table(
        ['field', 'type', 'always there'],
        rows.map((row) => row.slice(0, 3)),
      );
}

interface ApiDocument {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly responses: Readonly<
              Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>> }>
            >;
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

const scopeWords = {
  self: '',
  accounts: ' on at least one account',
  server: ' on all accounts',
  account: ' on the account',
} as const;

function rows(schema: z.ZodObject | undefined, place: string): readonly (readonly string[])[] {
  return Object.entries(schema?.shape ?? {}).map(([name, each]) => {
    const { type, enum: values, default: usual } = (each as z.ZodType).toJSONSchema({ io: 'input' });
    const words =
      values === undefined ? String(type) : values.map((value) => `\`${String(value)}\``).join(', ');
    return [
      `\`${name}\``,
      place,
      usual === undefined ? words : `${words}; \`${JSON.stringify(usual)}\` by default`,
    ];
  });
}

function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...lines.map(line)].join('\n');
}
