import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readInputs } from '../../src/action/inputs.ts';
import { readCommand } from '../docs/read-command.ts';
import { inputVariables } from '../given/action-step.ts';
import { givenService, testPsk, workplace } from '../given/command-line.ts';
import { newFolder } from '../given/folder.ts';
import { gitIn } from '../given/git.ts';
import { gitlabStandIn, gitlabToken, type StoredNote } from '../given/gitlab-stand-in.ts';
import { commandIn, programEnvironment } from '../given/program.ts';
import { elementsOf, renderMarkdown } from '../given/rendered-markdown.ts';

const root = join(import.meta.dirname, '../..');
const pipelines = join(root, 'examples', 'pipelines');
const yamlOf = async (path: string): Promise<unknown> => parse(await readFile(path, 'utf8'));

interface ActionFile {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string }>>;
  readonly runs: { readonly using: string; readonly main: string };
}
const action = (await yamlOf(join(root, 'action.yml'))) as ActionFile;

describe('action.yml', () => {
  it('declares exactly the inputs that are read', () => {
    const read = new Set<string>();
    readInputs(
      new Proxy<Record<string, string>>(
        {},
        {
          get(_, name) {
            read.add(String(name));
            return undefined;
          },
        },
      ),
    );
    expect([...read].toSorted()).toEqual(Object.keys(inputVariables(textsOf(action.inputs))).toSorted());
  });

  it('documents the defaults that it uses', () => {
    const { 'github-token': _, ...rest } = textsOf(action.inputs);
    expect(readInputs(inputVariables(rest))).toEqual(readInputs({}));
  });

  it('runs on the Node that Rampart needs', () =>
    expect(action.runs).toEqual({ using: 'node24', main: 'dist/action/index.js' }));
});

function textsOf(inputs: ActionFile['inputs']): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(inputs).map(([name, each]) => [name, each.default]));
}

interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly steps: readonly Step[];
  readonly outputs?: Readonly<Record<string, string>>;
}
interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

const workflows = (await readdir(join(pipelines, 'github'))).filter((name) => name.endsWith('.yml'));

describe('the workflow of several accounts', async () => {
  const workflow = (await yamlOf(join(pipelines, 'github', 'accounts.yml'))) as Workflow;

  it('gives each job only the key of its own account', () => {
    for (const { steps, ...job } of Object.values(workflow.jobs)) {
      const keys = steps.flatMap(({ env = {} }) => Object.entries(env));
      expect(keys).toEqual([
        ['KEY', '${{ secrets.RAMPART_PSK }}'],
        ['RAMPART_PSK_FILE', '${{ runner.temp }}/rampart_psk'],
      ]);
      expect(job).toMatchObject({ environment: 'fleet-read-${{ matrix.account }}' });
    }
  });
});

it('gives each job of the GitLab template for accounts the environment of its own account', async () => {
  const jobs = (await yamlOf(join(pipelines, 'gitlab', 'accounts.gitlab-ci.yml'))) as Readonly<
    Record<string, { readonly script: readonly string[]; readonly environment: { readonly name: string } }>
  >;
  for (const { script, environment } of Object.values(jobs)) {
    expect(environment.name).toBe('fleet-read-$RAMPART_ACCOUNT');
    expect(script.every((line) => line.includes('--account "$RAMPART_ACCOUNT"'))).toBe(true);
  }
  const text = await readFile(join(pipelines, 'gitlab', 'accounts.gitlab-ci.yml'), 'utf8');
  expect(text.replaceAll(/^#.*$/gm, '')).not.toMatch(/PSK|variables:/);
});

it.each(['accounts-review.yml', 'accounts-commands.yml', 'accounts-apply.yml', 'accounts-drift.yml'])(
  'gives the jobs of %s only the keys of accounts, each under its own name',
  async (name) => {
    const workflow = (await yamlOf(join(pipelines, 'github', name))) as Workflow;
    for (const { steps } of Object.values(workflow.jobs)) {
      const own = steps.flatMap(({ uses = '', env = {} }) =>
        uses.startsWith('acme/') ? Object.entries(env) : [],
      );
      const keys = own.filter(([variable]) => variable !== 'RAMPART_STATE_URL');
      expect(keys.length).toBeGreaterThan(1);
      for (const [variable, value] of keys) {
        expect(variable).toMatch(/^[A-Z]+_PSK_FILE$/);
        expect(value).toBe(`\${{ runner.temp }}/${variable.toLowerCase().replace('_file', '')}`);
      }
    }
  },
);

it.each(['accounts-commands.yml', 'accounts-apply.yml'])(
  'applies in %s only saved plans, and saves the state whatever happens',
  async (name) => {
    const workflow = (await yamlOf(join(pipelines, 'github', name))) as Workflow;
    const steps = Object.values(workflow.jobs).at(-1)?.steps ?? [];
    const at = (found: (step: Step) => boolean) => steps.findIndex(found);
    const [restored, downloaded, ran, saved] = [
      at(({ uses }) => uses?.startsWith('actions/cache/restore@') === true),
      at(({ run }) => run?.includes('gh run download') === true),
      at(({ uses }) => uses?.startsWith('acme/rampart@') === true),
      at(({ uses }) => uses?.startsWith('actions/cache/save@') === true),
    ];
    expect([restored, downloaded, ran, saved]).not.toContain(-1);
    expect([restored, downloaded, ran, saved].toSorted((one, other) => one - other)).toEqual([
      restored,
      downloaded,
      ran,
      saved,
    ]);
    expect(steps[downloaded]?.run).toContain('--dir "$RUNNER_TEMP/plans"');
    expect(steps[ran]?.with?.['plan-path']).toBe('${{ runner.temp }}/plans');
    expect(steps[saved]?.if).toMatch(/^always\(\)/);
  },
);

describe('the pipeline of GitLab', async () => {
  const jobs = (await yamlOf(join(pipelines, 'gitlab', 'rampart.gitlab-ci.yml'))) as Readonly<
    Record<
      string,
      { readonly extends?: string; readonly variables?: object; readonly before_script?: unknown }
    >
  >;

  it('reads rampart.config.yaml from the default branch in each job', () => {
    expect(jobs['.rampart']).toMatchObject({
      variables: { RAMPART_CONFIG_REF: 'FETCH_HEAD' },
      before_script: expect.arrayContaining([
        'git fetch --quiet --no-tags --depth=1 origin "refs/heads/$CI_DEFAULT_BRANCH"',
      ]),
    });
    const own = Object.entries(jobs).filter(([name]) => name.startsWith('rampart-'));
    expect(own.length).toBeGreaterThan(3);
    for (const [, job] of own) {
      expect(job.extends).toBe('.rampart');
      expect(job).not.toHaveProperty('variables');
      expect(job).not.toHaveProperty('before_script');
    }
  });
});

describe.each(workflows)('the workflow %s', async (name) => {
  const path = join(pipelines, 'github', name);
  const workflow = (await yamlOf(path)) as Workflow;
  const ours = Object.values(workflow.jobs).flatMap(({ steps }) =>
    steps.filter(({ uses }) => uses?.startsWith('acme/rampart@')),
  );

  it('gives the action inputs that it takes', () => {
    expect(ours.length).toBeGreaterThan(0);
    for (const { with: given = {} } of ours) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given)));
      const texts = Object.entries(given).map(([key, value]) => [key, filledIn(String(value))] as const);
      expect(readInputs(inputVariables(Object.fromEntries(texts)))).toMatchObject({ ok: true });
    }
  });

  it('keeps no record of earlier runs that a change brought, and leaves no token in the checkout', () => {
    for (const { steps } of Object.values(workflow.jobs)) {
      const restored = steps.findIndex(({ uses }) => uses?.startsWith('actions/cache/restore@'));
      if (restored !== -1) expect(steps[restored - 1]?.run).toBe('rm -rf ".rampart"');
      const saved = steps.some(({ uses }) => uses?.startsWith('actions/cache/save@'));
      if (saved) expect(restored).not.toBe(-1);
      for (const { uses, with: given } of steps)
        if (uses?.startsWith('actions/checkout@'))
          expect(given).toMatchObject({ 'persist-credentials': false });
    }
  });

  it('uses outputs that the action has', async () => {
    const text = await readFile(path, 'utf8');
    for (const [, output] of text.matchAll(/steps\.rampart\.outputs\.([\w-]+)/g))
      expect(Object.keys(action.outputs)).toContain(output);
  });

  it('says what its token may do, and has no secret among the inputs', () => {
    // Only this workflow pushes a branch.
    expect(workflow.permissions['contents']).toBe(name === 'adopt-drift.yml' ? 'write' : 'read');
    for (const { with: given = {} } of ours) expect(JSON.stringify(given)).not.toContain('secrets.');
  });
});

/** Like GitHub, for a run that nobody started by hand. */
function filledIn(text: string): string {
  return text
    .replaceAll('${{ matrix.account }}', 'berlin')
    .replaceAll('${{ inputs.checksum }}', '')
    .replaceAll('${{ inputs.hosts }}', '')
    .replaceAll('${{ needs.plan.outputs.checksum }}', 'a'.repeat(64));
}

const hosts = [
  { id: '1', name: 'one' },
  { id: '2', name: 'two' },
];
const desired = 'version: 1\nhosts: [{ id: 1, name: ONE }]\n';

describe('the GitLab pipeline', async () => {
  const file = (await yamlOf(join(pipelines, 'gitlab', 'rampart.gitlab-ci.yml'))) as Readonly<
    Record<string, Readonly<Record<'script' | 'after_script', readonly string[]>>>
  >;

  it('does what its comments say', async () => {
    const place = await workplace();
    const service = await givenService({ hosts });
    const gitlab = await gitlabStandIn();
    await mkdir(join(place.folder, 'fleet'));
    await place.write('fleet/main.yaml', desired);
    for (const line of ['init', 'add fleet', 'commit -m x']) gitIn(place.folder)(...line.split(' '));
    const url = service.env['RAMPART_BASE_URL'] ?? '';
    await place.write(
      'rampart.config.yaml',
      `accounts:\n  main: { baseUrl: '${url}', companyId: 1234567890, key: { variable: RAMPART_PSK } }\n`,
    );
    const env = {
      ...gitlab.env,
      PATH: process.env['PATH'] ?? '',
      RAMPART_ALLOWED_ORIGINS: url,
      RAMPART_PSK_FILE: 'rampart_psk',
      CI_COMMIT_SHA: 'c0ffee'.padEnd(40, '0'),
    };
    await writeFile(join(place.folder, 'rampart_psk'), service.env['RAMPART_PSK'] ?? '', { mode: 0o600 });
    const follow = async (job: string, part: 'script' | 'after_script') => {
      for (const line of file[job]?.[part] ?? []) {
        const filled = line
          .replace('"$RAMPART_FILES"', 'fleet/')
          .replace('${RAMPART_SIGNING_KEY_FILE:+--sign}', '')
          .replace('"$CI_MERGE_REQUEST_DIFF_BASE_SHA"', 'HEAD');
        const command = readCommand(filled);
        const { code, out, err } = await place.rampart(command?.argv ?? [], { env });
        expect({ line, code, err }).toMatchObject({ code: 0 });
        if (command?.into !== undefined) await place.write(command.into, out);
      }
    };
    await follow('rampart-plan', 'script');
    await follow('rampart-plan', 'after_script');
    const widget = await readFile(join(place.folder, 'plan-widget.json'), 'utf8');
    expect(JSON.parse(widget)).toEqual({ create: 0, update: 1, delete: 0 });
    expect(gitlab.notes).toHaveLength(1);
    await follow('rampart-plan-main', 'script');
    gitlab.mergeCommits.push(env.CI_COMMIT_SHA);
    await follow('rampart-apply', 'script');
    const drift = async (name: string) => {
      service.emulator.edit({ kind: 'rename', id: '1', name });
      await follow('rampart-drift', 'script');
    };
    await drift('ONE');
    expect(gitlab.issues).toEqual([]);
    const name = '/close @all\n```\n<img src=x> ' + testPsk.slice(0, 40);
    gitlab.issues.push({
      iid: 1,
      author: { username: 'mona' },
      title: 'mine',
      description: '<!-- rampart drift key=main -->\n',
      state: 'opened',
    });
    await drift(name);
    await drift(`${name}!`);
    expect(gitlab.issues).toMatchObject([
      { title: 'mine', description: '<!-- rampart drift key=main -->\n', state: 'opened' },
      { title: 'The fleet of main has drifted', state: 'opened' },
    ]);
    const text = gitlab.issues[1]?.description ?? '';
    expect(text).toMatch(
      /^<!-- rampart drift key=main -->\n## Rampart drift\n\n\*\*The fleet has drifted: 1 host\.\*\*\n/,
    );
    expect(text).toContain('[Run](https://gitlab.example.com/acme/fleet/-/jobs/77)');
    expect(text).not.toMatch(/^\/close/m);
    expect(elementsOf(renderMarkdown(text)).toSorted()).toEqual('a code h2 p pre strong sub'.split(' '));
    await drift('ONE');
    await drift('ONE');
    expect(gitlab.issues).toMatchObject([
      { title: 'mine', state: 'opened' },
      { state: 'closed', description: expect.stringContaining('There is no drift.') },
    ]);

    gitlab.fault = (method, path) =>
      path.endsWith('/issues') ? { status: 403, body: { message: gitlabToken } } : undefined;
    const refused = await place.rampart(['drift', '-f', 'fleet/', '--account', 'main', '--issue'], { env });
    expect(refused).toMatchObject({ code: 4, err: expect.stringContaining("the issues can't be read: 403") });
    expect(refused.out + refused.err).not.toContain(gitlabToken);
    const unset = { ...env, RAMPART_GITLAB_TOKEN: '' };
    const missing = await place.rampart(['drift', '--account', 'main', '--issue'], { env: unset });
    expect(missing.code).toBe(3);
    expect(missing.err).toContain('RAMPART_GITLAB_TOKEN is not set');
    const outside = await place.rampart(['drift', '--issue'], { env: { ...env, GITLAB_CI: '' } });
    expect(outside.err).toContain('this is not a GitLab or Azure pipeline');
    const misnamed = await place.rampart(['drift', '--account', 'main', '--issue', 'a b'], { env });
    expect(misnamed.err).toContain('a key must be 1 to 64 letters');
  });
});

describe('the GitLab job of many accounts', async () => {
  const file = (await yamlOf(join(pipelines, 'gitlab', 'rampart.gitlab-ci.yml'))) as Readonly<
    Record<string, Readonly<Record<'script' | 'after_script', readonly string[]>>>
  >;

  it('plans only the account that the merge request touches, and posts one note', async () => {
    const place = await workplace();
    const service = await givenService({ hosts });
    const { env } = service;
    const url = env['RAMPART_BASE_URL'] ?? '';
    await place.write(
      'rampart.config.yaml',
      `accounts:
  berlin: { baseUrl: '${url}', companyId: 1234567890, key: { variable: BERLIN_PSK }, files: [berlin.yaml] }
  lisbon: { baseUrl: '${url}', companyId: 7, key: { variable: LISBON_PSK }, files: [lisbon.yaml] }
`,
    );
    for (const name of ['berlin', 'lisbon']) await place.write(`${name}.yaml`, 'version: 1\nhosts: []\n');
    for (const line of ['init', 'add .', 'commit -m x']) gitIn(place.folder)(...line.split(' '));
    await place.write('berlin.yaml', desired);
    const [line = ''] = file['rampart-plan-accounts']?.script ?? [];
    const filled = line
      .replace('$RAMPART_ACCOUNTS', 'true')
      .replace('$CI_MERGE_REQUEST_DIFF_BASE_SHA', 'HEAD');
    const ran = await place.rampart(readCommand(filled)?.argv ?? [], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: place.folder,
        RAMPART_ALLOWED_ORIGINS: url,
        BERLIN_PSK: env['RAMPART_PSK'] ?? '',
      },
    });
    expect({ code: ran.code, err: ran.err }).toMatchObject({ code: 0 });
    expect(ran.err).toContain('touch 1 of 2 accounts.');
    expect(ran.out).toContain('ONE');
    const gitlab = await gitlabStandIn();
    const [after = ''] = file['rampart-plan-accounts']?.after_script ?? [];
    const posted = await place.rampart(readCommand(after)?.argv ?? [], { env: gitlab.env });
    expect({ code: posted.code, err: posted.err }).toMatchObject({ code: 0 });
    expect(gitlab.notes).toHaveLength(1);
    expect(gitlab.notes[0]?.body).toMatch(
      /^<!-- rampart plan key=accounts checksum=[0-9a-f]{64} changes=[0-9a-f]{64} -->\n## Rampart plan/,
    );
    expect(gitlab.notes[0]?.body).toContain('berlin');
    expect(gitlab.notes[0]?.body).toContain('ONE');
    const commit = 'c0ffee'.padEnd(40, '0');
    gitlab.mergeCommits.push(commit);
    const secret = { RAMPART_ALLOWED_ORIGINS: url, BERLIN_PSK: env['RAMPART_PSK'] ?? '' };
    const follow = async (job: string, more: Readonly<Record<string, string>> = {}) => {
      // A job begins with a clean checkout.
      if (job.includes('plan')) await rm(join(place.folder, 'plans'), { recursive: true, force: true });
      const [command = ''] = file[job]?.script ?? [];
      const selected = command
        .replace('$RAMPART_ACCOUNTS', job.includes('drift') ? "name == 'berlin'" : 'true')
        .replace('$RAMPART_SINCE', '--changed-since HEAD')
        .replace('${RAMPART_SIGNING_KEY_FILE:+--sign}', '');
      return place.rampart(readCommand(selected)?.argv ?? [], {
        env: { PATH: process.env['PATH'] ?? '', HOME: place.folder, ...secret, ...more },
      });
    };
    const onMain = await follow('rampart-plan-accounts-main');
    expect(onMain.code, onMain.err).toBe(0);
    const merged = { ...gitlab.env, CI_COMMIT_SHA: commit };
    const [reviewed] = gitlab.notes.splice(0);
    expect((await follow('rampart-apply-accounts', merged)).err).toContain('merge request 12 has no note');
    gitlab.notes.push({ ...(reviewed as StoredNote) });
    const applied = await follow('rampart-apply-accounts', merged);
    expect({ code: applied.code, err: applied.err }).toMatchObject({ code: 0 });
    expect((await follow('rampart-apply-accounts', merged)).err).toContain('has already applied these plans');
    service.emulator.edit({ kind: 'rename', id: '1', name: 'by hand' });
    await place.write('berlin.yaml', desired.replace('ONE', 'OTHER'));
    expect((await follow('rampart-plan-accounts-main')).code).toBe(0);
    const other = await follow('rampart-apply-accounts', merged);
    expect(other).toMatchObject({ code: 7 });
    expect(other.err).toContain('these are not the reviewed plans');
    await place.write('berlin.yaml', desired);
    const drifted = await follow('rampart-drift-accounts', gitlab.env);
    expect({ code: drifted.code, err: drifted.err }).toMatchObject({ code: 0 });
    expect(gitlab.issues).toMatchObject([{ title: 'Fleets of accounts have drifted', state: 'opened' }]);
  });
});

describe('commands of other systems', () => {
  const rampart = commandIn(newFolder());
  const program = (command: string, argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv) =>
    new Promise<{ readonly code: number | null; readonly text: string }>((done) => {
      const child = execFile(command, argv, { cwd, env }, (_error, out, err) =>
        done({ code: child.exitCode, text: out + err }),
      );
    });

  it('the shell recipe plans, applies and checks for drift', async () => {
    const { folder, write } = await workplace();
    const { env } = await givenService({ hosts });
    await cp(join(pipelines, 'pipeline.sh'), join(folder, 'pipeline.sh'));
    await write('fleet.yaml', desired);
    const all = {
      ...process.env,
      ...programEnvironment,
      ...env,
      RAMPART: rampart,
      RAMPART_FILES: 'fleet.yaml',
    };
    for (const word of ['plan', 'apply', 'drift']) {
      const { code, text } = await program('bash', ['pipeline.sh', word], folder, all);
      expect({ word, code, text }).toMatchObject({ code: 0 });
    }
    expect(await readFile(join(folder, 'plan.md'), 'utf8')).toContain('Change 1 host: 1 rename');
    expect((await program('bash', ['pipeline.sh', 'destroy'], folder, all)).code).toBe(3);
  }, 120_000);

  it('the pre-commit hook checks the files of a commit', async () => {
    const [hook] = (await yamlOf(join(root, '.pre-commit-hooks.yaml'))) as readonly {
      readonly entry: string;
      readonly files: string;
      readonly exclude: string;
      readonly pass_filenames: boolean;
    }[];
    const watched = (path: string) =>
      new RegExp(hook?.files ?? '').test(path) && !new RegExp(hook?.exclude ?? '').test(path);
    expect(['fleet.yaml', 'fleet.ts', 'fleet/a.yml', 'sites/fleet/b/c.yaml'].filter(watched)).toHaveLength(4);
    expect(['README.md', 'fleet/x.rampart-test.yaml', 'other.yaml', 'fleet.csv.bak'].filter(watched)).toEqual(
      [],
    );
    const { folder, write } = await workplace();
    const [name, ...argv] = hook?.entry.split(' ') ?? [];
    expect(name).toBe('rampart');
    await write('fleet.yaml', desired);
    expect((await program(rampart, argv, folder, { ...process.env, ...programEnvironment })).code).toBe(0);
    await write('fleet.yaml', 'version: 1\nhosts: [{ id: x }]\n');
    const wrong = await program(rampart, argv, folder, { ...process.env, ...programEnvironment });
    expect(wrong).toMatchObject({ code: 3, text: expect.stringContaining('fleet.yaml:2') });
  });
});
