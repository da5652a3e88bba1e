import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const copy = mkdtempSync(join(tmpdir(), 'rampart-how-to-add-'));
const lists = readLists(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));

/** One change of a list: text that is inserted after a text of the file. Without such a text, the file is new. */
interface Edit {
  readonly file: string;
  readonly behind?: string;
  readonly added: string;
}

const additions: Readonly<Record<string, readonly Edit[]>> = {
  'an endpoint': [
    {
      file: 'src/service/contract/hosts.ts',
      behind: 'export const hostEndpoints = {\n',
      added: `  lockHosts: endpoint({
    method: 'PUT',
    path: '/public-api/v1/hosts/lock',
    parameters: {},
    request: hostIds,
    responses: { 204: { meaning: 'locked', body: null }, ...commonErrors },
    rateLimited: false,
    repetition: 'absolute',
    spec: 'section 4, #20',
    summary: 'Lock hosts.',
  }),
`,
    },
    {
      file: 'src/service/emulator/handlers.ts',
      behind: "import type { ActionHandler, Service } from './service.ts';\n",
      added:
        'const lockHosts: ActionHandler<HostIds> = (service, { body }) => forEachHost(service, body.hostIds, () => {});\n',
    },
    {
      file: 'src/service/emulator/handlers.ts',
      behind: '  checkAuthentication: () => success(\'{"success":true}\'),\n',
      added: '  lockHosts,\n',
    },
    {
      file: 'src/service/emulator/request-body.ts',
      behind: '  moveHosts: hostIds,\n',
      added: '  lockHosts: hostIds,\n',
    },
    {
      file: 'test/service/contract/spec-table.ts',
      behind: "  row('deleteHosts', 6, 'DELETE', '/public-api/v1/hosts', 204, [], ['hostIds']),\n",
      added: "  row('lockHosts', 20, 'PUT', '/public-api/v1/hosts/lock', 204, [], ['hostIds']),\n",
    },
  ],
  'an output format': [
    {
      file: 'src/output/review/names.ts',
      added: `import { printable } from '../../core/lib/printable.ts';
import type { PlanRows } from './rows.ts';

export function paintNames({ renames }: PlanRows): string {
  return renames.flatMap(({ rows }) => rows.map(({ to }) => \`\${printable(to)}\\n\`)).join('');
}
`,
    },
    {
      file: 'src/cli/shell/settings.ts',
      behind: "  text: 'text',\n",
      added: "  names: 'names',\n",
    },
    {
      file: 'src/cli/program/change-commands.ts',
      behind: '      `rampart plan --accounts \'region == "eu"\' --out plans/`,\n    )\n    .prints(',
      added: "'names', ",
    },
    {
      file: 'src/cli/planning/print-review.ts',
      behind: '  text: printReview,\n',
      added:
        "  async names(plan, { print }) {\n    print((await import('../../output/review/names.ts')).paintNames(toRows(plan)));\n  },\n",
    },
    {
      file: 'src/cli/planning/print-plans.ts',
      behind: 'Readonly<Record<Format, PaintPlans | null>> = {\n',
      added: '  names: ({ review }, { print }) => print(`${review.totals.changed_hosts}\\n`),\n',
    },
  ],
  'a command': [
    {
      file: 'src/cli/commands/greet.ts',
      added: `import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';

export async function greet(context: Context, { name }: { readonly name?: string }): Promise<ExitCode> {
  context.print(\`Hello \${name}\\n\`);
  return exitCodes.success;
}
`,
    },
    {
      file: 'src/cli/program/tool-commands.ts',
      behind: '  doctor: addDoctor,\n',
      added: '  greet: addGreet,\n',
    },
    {
      file: 'src/cli/program/tool-commands.ts',
      behind: "from './flag-topics.ts';\n",
      added: `
function addGreet(program: CliCommand): void {
  program
    .command('greet')
    .description('Greet.')
    .option('--name <name>', 'Greet this name.')
    .runs('none', async () => (await import('../commands/greet.ts')).greet);
}
`,
    },
  ],
  'a key of an entry': [
    {
      file: 'src/core/model/entry.ts',
      behind: 'readonly deleteAfter?: string;\n',
      added: '  readonly note?: string;\n',
    },
    {
      file: 'src/input/schema/entry-fields.ts',
      behind: 'export const entryFields = {\n',
      added: "  note: { type: 'text', meaning: 'A note about the host.', column: true },\n",
    },
    {
      file: 'src/input/typescript/fleet.ts',
      behind: 'interface HostAttributes {\n',
      added: '  readonly note?: string | undefined;\n',
    },
  ],
  'another key of the desired state': [
    {
      file: 'src/input/schema/policy-fields.ts',
      behind: 'export const freezeFields = {\n',
      added: "  ticket: { type: 'text', meaning: 'The ticket that asks for the freeze.' },\n",
    },
    {
      file: 'src/core/model/policy.ts',
      behind: 'export interface Freeze {\n',
      added: '  readonly ticket?: string;\n',
    },
    {
      file: 'src/input/typescript/fleet-policy.ts',
      behind: 'export interface FleetFreeze {\n',
      added: '  readonly ticket?: string | undefined;\n',
    },
  ],
  'an operation of the server API': [
    {
      file: 'src/api/accounts.ts',
      behind: 'export type Health = z.infer<typeof health>;\n',
      added: '\nexport const owner = z.object({ owner: z.string() });\n',
    },
    {
      file: 'src/server/accounts/routes/accounts.ts',
      behind: 'import {\n  type AccountDetail,\n  accountDetail,\n',
      added: '  owner as ownerShape,\n',
    },
    {
      file: 'src/server/accounts/routes/accounts.ts',
      behind: 'export const accountRoutes = [\n',
      added: `  route({
    id: 'getOwner',
    method: 'get',
    path: '/api/v1/accounts/{name}/owner',
    tag: 'Accounts',
    summary: 'Show who owns an account.',
    access: { action: 'read', on: 'account', accountOf: async ({ name }) => ok(name ?? null) },
    params: accountParams,
    answer: ownerShape,
    handle: async ({ params }) => ok({ owner: params.name }),
  }),
`,
    },
    {
      file: 'test/server/access-matrix.test.ts',
      behind: '  getAccount: readsOne,\n',
      added: '  getOwner: readsOne,\n',
    },
  ],
  'a setting of the server': [
    {
      file: 'src/server/settings/server-section.ts',
      behind: "      variable: 'RAMPART_SERVER_URL',\n    },\n",
      added: "    motto: { is: text, meaning: 'A line above the overview.' },\n",
    },
    {
      file: 'src/server/settings/server-settings.ts',
      behind: 'export interface ServerSettings {\n',
      added: '  readonly motto?: string;\n',
    },
    {
      file: 'src/server/settings/read-server-settings.ts',
      behind: '    cadenceMs: given.cadence,\n',
      added: '    ...(given.motto === undefined ? {} : { motto: given.motto }),\n',
    },
  ],
  'a page of the console': [
    {
      file: 'src/console/pages/locks/locks.tsx',
      added: `import { Page } from '../../parts/page.tsx';

export function Locks() {
  return <Page title="Locks">{null}</Page>;
}
`,
    },
    {
      file: 'src/console/shell/routes.tsx',
      behind: "import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';\n",
      added: "\nconst Locks = lazy(() => import('../pages/locks/locks.tsx').then((file) => file.Locks));\n",
    },
    {
      file: 'src/console/shell/routes.tsx',
      behind: '<Route path="/" component={OverviewPage} />\n',
      added: '        <Route path="/locks" component={Locks} />\n',
    },
    {
      file: 'src/console/browser/address.ts',
      behind: 'export const consoleAddress = {\n',
      added: "  locks: () => '/locks',\n",
    },
    {
      file: 'src/console/shell/navigation.ts',
      behind: 'export const navigation: readonly NavigationItem[] = [\n',
      added: "  { title: 'Locks', href: consoleAddress.locks(), key: 'l', isHere: below('/locks') },\n",
    },
  ],
};

const kindOfStep: readonly Edit[] = [
  { file: 'src/core/model/write-action.ts', behind: 'export const writeActions = [', added: "'lock', " },
  {
    file: 'src/core/plan/types/step.ts',
    behind: 'export type Step = ',
    added: "(StepBase & { readonly kind: 'lock'; readonly hosts: readonly BatchMember[] }) | ",
  },
];

const format: Edit = {
  file: 'src/cli/shell/settings.ts',
  behind: "  text: 'text',\n",
  added: "  diagram: 'diagram',\n",
};

/** The files that must handle every kind of step, or every format. */
const lacking = [
  'src/cli/planning/print-plans.ts',
  'src/cli/planning/print-review.ts',
  'src/core/model/write-action.ts',
  'src/core/plan/guards/unverified-writes.ts',
  'src/core/plan/ordering/planned-acts.ts',
  'src/core/plan/ordering/tally.ts',
  'src/core/plan/verify/names.ts',
  'src/core/plan/verify/verify-plan.ts',
  'src/output/review/event-document.ts',
  'src/output/review/plan-review.ts',
  'src/output/review/step-title.ts',
  'src/run/apply/apply-staged.ts',
  'src/run/apply/run-step.ts',
  'src/run/state/journal/journal-on.ts',
  'src/run/state/journal/record.ts',
  'src/server/runs/rules/step-waits.ts',
];
const checked = [
  'src/index.ts',
  'src/cli/main.ts',
  'test/input/typescript/fleet.test-d.ts',
  'test/service/contract',
];

/**
 * Runs command lines and scripts of the copy in one process, because loading its sources takes longer than all of them.
 * Answers with what each printed, on both streams.
 */
const runner = `import { format } from 'node:util';
import { run } from './src/cli/run.ts';
import { processIo } from './src/cli/shell/process-io.ts';
let printed = '';
const stream = { write: (text) => void (printed += text), isTerminal: false, columns: null };
console.log = (...values) => stream.write(format(...values) + '\\n');
process.on('message', async ({ script, argv }) => {
  printed = '';
  try {
    await (script === undefined ? run(argv, { ...processIo(), stdout: stream, stderr: stream }) : import(script));
  } catch (error) {
    printed += error.stack;
  }
  process.send(printed);
});
`;
let runs: ChildProcess | undefined;

beforeAll(() => {
  for (const each of [
    'src',
    'test/input/typescript',
    'test/service/contract',
    'test/server/access-matrix.test.ts',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(join(root, each), join(copy, each), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const settings = JSON.parse(readFileSync(join(copy, 'tsconfig.json'), 'utf8')) as object;
  writeFileSync(join(copy, 'tsconfig.json'), JSON.stringify({ ...settings, include: checked }));
  for (const edits of Object.values(additions)) edits.forEach(carryOut);
});

afterAll(async () => {
  if (runs?.kill() === true) await once(runs, 'close');
  rmSync(copy, { recursive: true });
});

describe('the list of what to change to add', () => {
  test.each(Object.entries(lists))('%s names files that exist', (_, paths) => {
    expect(paths.length).toBeGreaterThan(0);
    const missing = paths.filter(
      (path) => globSync(path.replaceAll(/<\w+>/g, '*'), { cwd: root }).length === 0,
    );
    expect(missing).toEqual([]);
  });

  test.each(Object.entries({ ...additions, 'a kind of step': kindOfStep }))(
    '%s names each file that an addition changes',
    (what, edits) => {
      const named = (lists[what] ?? []).map(
        (path) => new RegExp(`^${path.replaceAll(/<\w+>/g, '[a-z-]+')}$`),
      );
      const unnamed = edits.filter(({ file }) => !named.some((pattern) => pattern.test(file)));
      expect(unnamed).toEqual([]);
    },
  );
});

// Before the test that leaves a kind of step half done, because the console shares components with the report.
test('a page of the console passes the type check', async () => {
  expect(await tsc('-p', 'src/console', '--incremental', 'false')).toBe('');
}, 120_000);

test('one of each passes the type check, and the compiler reports what a new kind of step or format lacks', async () => {
  kindOfStep.forEach(carryOut);
  carryOut(format);
  const report = await tsc('--incremental', 'false');
  const files = [...report.matchAll(/^(.+?)\(\d+,\d+\): error /gm)].map(([, file]) => file);
  // An error in any other file would be one of the additions that are whole.
  expect(new Set(files)).toEqual(new Set(lacking));
}, 240_000);

test('an endpoint is called with exact ids, and the emulator answers it', async () => {
  write(
    'call.ts',
    `import { createAdaptivePacer, createClient, systemClock as clock } from './src/index.ts';
import { createEmulator } from './src/service/emulator/emulator.ts';
import { generateFleet } from './src/service/emulator/generate.ts';

const emulator = createEmulator({ clock, state: generateFleet({ hosts: 3 }) });
const { exchange } = emulator;
const credentials = { kind: 'basic', ...emulator.credentials };
const client = createClient({ clock, exchange, credentials, pacers: () => createAdaptivePacer({ clock }) });
const hostIds = [[...emulator.state().hosts][0].id];
const { ok } = await client.call('lockHosts', { path: {}, body: { hostIds } });
const unknown = await client.call('lockHosts', { path: {}, body: { hostIds: ['9223372036854775807'] } });
console.log(ok, unknown.ok, emulator.requests[1].body);
`,
  );
  expect(await answer({ script: './call.ts' })).toBe('true false {"hostIds":[9223372036854775807]}\n');
});

test('an output format prints one plan and the plans of several accounts', async () => {
  write('fleet.yaml', 'version: 1\nrules: [{ name: all, when: "true", rename: "X-${host.name}" }]\n');
  const plan = await rampart('plan', '-f', 'fleet.yaml', '--emulator', '--format', 'names');
  expect(plan).toMatch(/^X-\S/);
  write('rampart.config.yaml', "accounts: { a: { companyId: '1' }, b: { companyId: '2' } }\n");
  const plans = await rampart('plan', '--account', 'a', '--account', 'b', '--emulator', '--format', 'names');
  rmSync(join(copy, 'rampart.config.yaml'));
  expect(plans).toMatch(/^\d+\n$/);
});

test('a command runs, and completion knows it', async () => {
  expect(await rampart('greet', '--name', 'Ada')).toBe('Hello Ada\n');
  expect(await rampart('complete', '--', 'gre')).toContain('greet');
});

test('a key of an entry is read in files and tables, and the schema has it', async () => {
  write('hosts.csv', 'name,note\nA,first\n');
  write('keys.yaml', 'version: 1\nhostsFrom: hosts.csv\nhosts: [{ name: B, note: second }]\n');
  expect(await rampart('validate', '-f', 'keys.yaml')).toContain('2 ');
  write('keys.yaml', 'version: 1\nhosts: [{ name: B, note: [] }]\n');
  expect(await rampart('validate', '-f', 'keys.yaml')).toContain('"note" must be text');
  expect(await rampart('schema')).toContain('A note about the host.');
});

test('another key is read from the file, and the schema has it', async () => {
  write(
    'read.ts',
    `import { readDesired } from './src/input/read-desired.ts';
const result = readDesired([{ file: 'fleet.yaml', text: 'version: 1\\nhosts: []\\npolicy: { freeze: { ticket: OPS-7 } }\\n' }]);
console.log(result.ok && result.value.policy.freezes[0]?.ticket);
`,
  );
  expect(await answer({ script: './read.ts' })).toBe('OPS-7\n');
  write('frozen.yaml', 'version: 1\npolicy: { freeze: { ticket: 7 } }\n');
  expect(await rampart('validate', '-f', 'frozen.yaml')).toContain('"ticket" must be text');
  expect(await rampart('schema')).toContain('The ticket that asks for the freeze.');
});

test('an operation of the server API is documented, and a setting of the server is read', async () => {
  write(
    'server.ts',
    `import { readServerSettings } from './src/server/settings/read-server-settings.ts';
import { serverApiDocument } from './src/server/http/open-api.ts';
import { routes } from './src/server/start/routes.ts';
const { paths } = serverApiDocument(routes);
console.log(paths['/api/v1/accounts/{name}/owner'].get.summary);
const settings = await readServerSettings({ folder: import.meta.dirname, env: {} });
console.log(settings.ok ? settings.value.motto : settings.problems);
`,
  );
  write('rampart.config.yaml', 'accounts: {}\nserver: { motto: Onwards }\n');
  expect(await answer({ script: './server.ts' })).toBe('Show who owns an account.\nOnwards\n');
});

function readLists(page: string): Readonly<Record<string, readonly string[]>> {
  const [, section = ''] = page.split('## How to add something\n');
  const parts = (section.split('\n## ')[0] as string).split(/^\*\*(.+)\*\*$/m).slice(1);
  const found: Record<string, readonly string[]> = {};
  for (let at = 0; at < parts.length; at += 2) {
    const named = [...(parts[at + 1] as string).matchAll(/`((?:src|test|docs)\/[^`]+)`/g)];
    found[parts[at] as string] = named.map(([, path = '']) => path);
  }
  return found;
}

function carryOut({ file, behind, added }: Edit): void {
  if (behind === undefined) {
    expect(existsSync(join(copy, file))).toBe(false);
    return write(file, added);
  }
  const text = readFileSync(join(copy, file), 'utf8');
  expect(text.split(behind), file).toHaveLength(2);
  write(
    file,
    text.replace(behind, () => behind + added),
  );
}

function write(file: string, text: string): void {
  mkdirSync(dirname(join(copy, file)), { recursive: true });
  writeFileSync(join(copy, file), text);
}

const rampart = (...argv: readonly string[]) => answer({ argv });

/** What a command line or a script prints. */
async function answer(asked: { readonly argv: readonly string[] } | { readonly script: string }) {
  if (runs === undefined) {
    write('runner.ts', runner);
    runs = fork('runner.ts', { cwd: copy, execArgv: [] });
  }
  const answered = once(runs, 'message');
  runs.send(asked);
  return String((await answered)[0]);
}

/** What the compiler prints. Several threads would do much of the work several times. */
function tsc(...argv: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      'node_modules/.bin/tsc',
      [...argv, '--singleThreaded'],
      { cwd: copy },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    );
  });
}
