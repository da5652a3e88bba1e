import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { packCli } from '../../bin/release/cli-archive.ts';
import { dockerfile } from '../../bin/release/container.ts';
import { buildImageFolder, runInImage } from '../../bin/release/image-folder.ts';
import { releaseNames } from '../../bin/release/names.ts';
import { readCommand } from '../docs/read-command.ts';
import { fileNameOf, readFences } from '../docs/read-page.ts';
import { stable } from '../docs/run-page.ts';
import { serveProxy } from '../given/connect-proxy.ts';
import { newFolder } from '../given/folder.ts';
import { listen, nobodyListens } from '../given/loopback.ts';
import { programFolder } from '../given/program.ts';
import { selfSigned } from '../given/self-signed.ts';

const root = join(import.meta.dirname, '../..');
const built = programFolder ?? 'not built';
let release: string;

beforeAll(async () => {
  release = newFolder();
  mkdirSync(join(release, 'bin'));
  for (const file of ['package.json', 'bin/rampart.js', 'bin/own-cache-folder.mjs'])
    cpSync(join(root, file), join(release, file));
  cpSync(join(root, 'examples'), join(release, 'examples'), { recursive: true });
  cpSync(built, join(release, 'dist/cli'), { recursive: true });
  cpSync(join(built, '../server'), join(release, 'dist/server'), { recursive: true });
}, 120_000);

type Texts = Readonly<Record<string, string>>;

/** Runs the published program in a folder with these files, without any other installation. */
function rampart(argv: string | readonly string[], files: Texts = {}, env: Texts = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words(argv), {
    ...surroundings(files, env),
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The same while this process continues, so that it can be the service. */
async function rampartBeside(argv: readonly string[], files: Texts, env: Texts) {
  const child = spawn(process.execPath, words(argv), surroundings(files, env));
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { status, stdout, stderr };
}

/** Has the program write down which files it loaded. */
function probe() {
  const script = join(release, 'probe.cjs');
  writeFileSync(
    script,
    "process.on('exit', () => require('fs').writeFileSync(process.env.LOADED, Object.keys(require.cache).join('\\n')));",
  );
  return { NODE_OPTIONS: `--require=${script}`, LOADED: join(release, 'loaded.txt') };
}

function words(argv: string | readonly string[]): readonly string[] {
  return [join(release, 'bin/rampart.js'), ...(typeof argv === 'string' ? argv.split(' ') : argv)];
}

/** One home for all, because a command with cached code starts in half the time. */
function surroundings(files: Texts, env: Texts) {
  const cwd = mkdtempSync(join(release, 'work-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return { cwd, env: { PATH: process.env['PATH'], HOME: release, ...env } };
}

/** What a server prints, up to its login link or its end. */
function untilLink(server: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    let lines = '';
    server.stdout.on('data', (chunk) => {
      lines += String(chunk);
      if (lines.includes('login/link?ticket=')) resolve(lines);
    });
    server.on('close', () => resolve(lines));
  });
}

const valid = { status: 0, stdout: 'Valid: 0 entries in fleet.yaml.\n', stderr: '' };

function validated(env: Texts) {
  return rampart('validate', { 'fleet.yaml': 'version: 1\nhosts: []\n' }, env);
}

function givenHome(): { readonly home: string; readonly kept: string } {
  const home = mkdtempSync(join(release, 'home-'));
  return { home, kept: join(home, '.cache/rampart/compiled') };
}

const hosts = '  - { id: 1, name: one }\n  - { id: 9007199254740993, name: two }\n';
const seed = `hosts:\n${hosts}`;
const swapped = 'version: 1\nhosts:\n  - { id: 1, name: two }\n  - { id: 9007199254740993, name: one }\n';

describe('the published command line', () => {
  it('prints its version, and its help', () => {
    expect(rampart('--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    expect(rampart('plan --help').stdout).toContain('Usage: rampart plan');
  });

  it('hides a typed key, and reads and writes full-width formulas: these patterns are not ASCII', () => {
    expect(rampart(['Ab1'.repeat(40)]).stderr).toContain('there is no command "rampart …"');
    const files = {
      'seed.yaml': 'hosts: [{ id: 1, name: ＝1 }, { id: 2, name: île }]',
      'fleet.yaml': 'version: 1\nhostsFrom: hosts.csv\n',
      'hosts.csv': "id,name\n2,'＝2\n",
    };
    const imported = rampart('import --emulator=seed.yaml --format csv', files);
    expect(imported.stdout).toMatch(/^2,île,.*\n1,'＝1,/m);
    expect(rampart('plan --emulator=seed.yaml', files).stdout).toContain(' île  →  ＝2 ');
  });

  it('keeps compiled code in a folder of the user, uses it again, and does without it if it is damaged', () => {
    const shared = mkdtempSync(join(release, 'shared-'));
    const { home, kept } = givenHome();
    const again = () => expect(validated({ HOME: home, TMPDIR: shared })).toEqual(valid);
    const codeFiles = () => globSync(join(kept, '*/rampart-*-validate'));
    again();
    // All users share the temporary folder.
    expect(readdirSync(shared)).toEqual([]);
    const [file = '', ...others] = codeFiles();
    expect(others).toEqual([]);
    for (const each of [kept, file]) expect(statSync(each).mode & 0o077).toBe(0);
    const code = readFileSync(file);
    again();
    expect(readFileSync(file).equals(code)).toBe(true);
    writeFileSync(file, code.subarray(0, code.length / 2));
    again();
    expect(codeFiles()).toEqual([file]);
    expect(readFileSync(file).length).toBeGreaterThan(code.length / 2);
  });

  it('stores no compiled code for a word that is no command', () => {
    const { home, kept } = givenHome();
    expect(rampart('paln', {}, { HOME: home })).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('did you mean "rampart plan"?'),
    });
    expect(globSync(join(kept, '*/rampart-*'))).toEqual([]);
  });

  it('neither reads nor writes compiled code if another user could have put it', () => {
    const { home, kept } = givenHome();
    const cases: readonly (() => void)[] = [
      () => chmodSync(kept, 0o777),
      () => chmodSync(kept, 0o770),
      () => {
        chmodSync(kept, 0o700);
        chmodSync(home, 0o777);
      },
    ];
    for (const open of cases) {
      mkdirSync(kept, { recursive: true });
      open();
      expect(validated({ HOME: home, TMPDIR: home })).toEqual(valid);
      expect(globSync(join(kept, '*'))).toEqual([]);
      expect(readdirSync(home)).toEqual(['.cache']);
    }
  });

  it.skipIf(process.getuid?.() !== 0)('does not use a folder that belongs to somebody else', () => {
    const { home, kept } = givenHome();
    mkdirSync(kept, { recursive: true });
    chownSync(kept, 12_345, 12_345);
    expect(validated({ HOME: home })).toEqual(valid);
    expect(globSync(join(kept, '*'))).toEqual([]);
  });

  it('starts even if no such folder can be made', () => {
    expect(validated({ HOME: '/dev/null' })).toEqual(valid);
    expect(validated({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(valid);
  });

  it('shows where a desired state in TypeScript fails', () => {
    const { status, stderr } = rampart('validate -f fleet.ts', {
      'fleet.ts':
        "import { defineFleet } from 'rampart';\nconst site: string = 'x';\nthrow new Error(site);\nexport default defineFleet({});\n",
    });
    expect(status).toBe(3);
    expect(stderr).toContain('fleet.ts:3');
  });

  it('does what the tutorial about a pipeline shows, with nothing but its own files', () => {
    const { cwd, env } = surroundings({}, {});
    const page = readFileSync(join(root, 'docs/start/pipeline.md'), 'utf8');
    let output = '';
    for (const fence of readFences(page)) {
      const where = `line ${fence.line}`;
      if (fence.language === 'text') expect(stable(output), where).toBe(stable(fence.text));
      if (fence.language === 'yaml') writeFileSync(join(cwd, fileNameOf(fence) ?? ''), fence.text);
      if (fence.language !== 'sh') continue;
      for (const line of fence.text.split('\n')) {
        const command = readCommand(line);
        if (command === undefined) continue;
        const ran = spawnSync(process.execPath, words(command.argv), { cwd, env, encoding: 'utf8' });
        expect({ code: ran.status, err: ran.stderr }, line).toMatchObject({ code: command.exitCode });
        output = ran.stdout;
        if (command.into !== undefined) writeFileSync(join(cwd, command.into), output);
      }
    }
    expect(readFileSync(join(cwd, 'plan.html'), 'utf8')).toContain('KIOSK-01');
  }, 120_000);

  it('names hosts after a register over HTTP, from an empty folder', async () => {
    const { cwd, env } = surroundings({}, {});
    const ran = (line: string, more: Texts = {}) => {
      const options = { cwd, env: { ...env, ...more }, encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, words(line), options);
      expect({ status, stderr }, line).toMatchObject({ status: 0 });
      return stdout;
    };
    ran('init --from register');
    ran('hosts inventory pull --hardware --emulator=seed.yaml');
    const register = spawn(process.execPath, ['serve.mjs', '0'], { cwd, env });
    onTestFinished(() => void register.kill());
    const [address] = (await once(register.stdout, 'data')) as [Buffer];
    const url = { RAMPART_SOURCE_REGISTER_URL: address.toString().trim() };
    expect(ran('plan -f http.yaml -f rules.yaml --emulator=seed.yaml', url)).toContain('asset.Name at ');
  }, 120_000);

  it.each([
    [['plan', '--format', 'html', '--emulator=seed.yaml'], '<!DOCTYPE html>'],
    [['plan', '--rehearse', '--emulator=seed.yaml'], 'two'],
    [['hosts', '--format', 'csv', '--emulator=seed.yaml', '--where', 'host.name == "one"'], 'one'],
    [['import', '--format', 'hcl', '--emulator=seed.yaml'], 'resource'],
    [['hosts', 'inventory', 'fields', '--emulator'], 'BatteryName'],
    [['doctor', '--emulator=seed.yaml'], 'Node'],
    [['explain', 'one', '--emulator=seed.yaml'], 'one'],
  ])('answers to %s', (argv, expected) => {
    const { stdout, stderr } = rampart(argv, { 'fleet.yaml': swapped, 'seed.yaml': seed });
    expect(stderr).not.toContain('unforeseen');
    expect(stdout).toContain(expected);
  });

  it('writes its log, and hands over what a collector is to get', () => {
    const { status, stderr } = rampart(
      'hosts --emulator=seed.yaml --log-file log.ndjson',
      { 'seed.yaml': seed },
      { OTEL_EXPORTER_OTLP_ENDPOINT: nobodyListens },
    );
    expect(status).toBe(0);
    expect(stderr).toContain(`traces could not be delivered to ${nobodyListens}`);
  });

  const list = JSON.stringify({
    groups: [{ id: 1, name: 'Berlin' }],
    hosts: [{ id: 7, groupid: 1, description: 'LOBBY', isHostOnline: true }],
  });
  const credentials = { RAMPART_COMPANY_ID: '1', RAMPART_PSK: 'not-a-secret' };
  const rule =
    'version: 1\nrules: [{ name: all, when: host.name.startsWith("LOBBY"), rename: "X-${host.name}" }]\n';

  it('plans by a rule over a socket, and loads nothing unnecessary', async () => {
    const server = createServer((_, response) => response.end(list));
    const env = { ...credentials, RAMPART_BASE_URL: `http://127.0.0.1:${await listen(server)}`, ...probe() };
    const { status, stdout, stderr } = await rampartBeside(['plan', '--json'], { 'fleet.yaml': rule }, env);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout).steps).toMatchObject([{ kind: 'rename', from: 'LOBBY', to: 'X-LOBBY' }]);
    const loaded = readFileSync(env.LOADED, 'utf8')
      .split('\n')
      .map((file) => ({ file, code: readFileSync(file, 'utf8') }));
    const filesWith = (mark: string) =>
      loaded.filter(({ code }) => code.includes(mark)).map(({ file }) => file);
    expect(filesWith('hostswithgroups')).toHaveLength(1);
    for (const mark of [
      'ZodError',
      'google.protobuf',
      'createEmulator(',
      '<!DOCTYPE html>',
      'WebSocketStream',
    ]) {
      expect(filesWith(mark), mark).toEqual([]);
    }
  });

  it('runs the server of its own package in the same version, once, on the embedded database, and explains hosts in its thread', async () => {
    const modules = join(mkdtempSync(join(release, 'installed-')), 'node_modules');
    for (const file of ['package.json', 'bin', 'dist/cli'])
      cpSync(join(release, file), join(modules, 'rampart', file), { recursive: true });
    const argv = [join(modules, 'rampart/bin/rampart.js'), 'server', '--emulator', '--listen', '127.0.0.1:0'];
    const folder = surroundings({}, {});
    const refused = () => spawnSync(process.execPath, argv, { ...folder, encoding: 'utf8', timeout: 60_000 });
    const missing = refused();
    expect(missing.status).toBe(3);
    expect(missing.stderr).toContain('Rampart Server is not installed');
    expect(missing.stderr).toContain('install rampart-server-0.1.0.tgz');

    const installed = join(modules, 'rampart-server');
    cpSync(join(built, '../server'), installed, { recursive: true });
    const server = spawn(process.execPath, argv, folder);
    const ended = once(server, 'close');
    try {
      const printed = await untilLink(server);
      expect(printed).toContain('Records: the embedded database in ');
      const second = refused();
      expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining('RAMPART_STATE_URL') });
      const link = /http:\S+login\/link\?ticket=\S+/.exec(printed)?.[0] ?? '';
      const login = await fetch(link, { redirect: 'manual' });
      const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const get = async (path: string) => (await fetch(new URL(path, link), { headers: { cookie } })).json();
      await vi.waitFor(
        async () => {
          const { items } = (await get('/api/v1/hosts?drifted=false&limit=1')) as {
            items: readonly { account: string; host_id: string }[];
          };
          const path = `/api/v1/accounts/${items[0]?.account}/hosts/${items[0]?.host_id}`;
          const detail = (await get(path)) as { explain: readonly { decided_by: string }[] };
          expect(detail.explain[0]?.decided_by).toMatch(/^(entry|rule) /);
          expect(detail).not.toHaveProperty('explain_problem');
        },
        { timeout: 60_000, interval: 500 },
      );
    } finally {
      server.kill('SIGTERM');
      await ended;
    }
  }, 120_000);

  it('reaches a service over TLS through a proxy', async () => {
    const certificate = selfSigned();
    const server = createHttpsServer(certificate, (_, response) => response.end(list));
    const proxy = await serveProxy(await listen(server));
    const trusted = join(release, 'trusted.pem');
    writeFileSync(trusted, certificate.cert);
    const { status, stdout } = await rampartBeside(
      ['hosts'],
      {},
      {
        ...credentials,
        RAMPART_BASE_URL: 'https://service.test',
        HTTPS_PROXY: proxy.url,
        NODE_EXTRA_CA_CERTS: trusted,
      },
    );
    expect(status).toBe(0);
    expect(stdout).toContain('LOBBY');
    expect(proxy.asked).toEqual([expect.stringMatching(/^CONNECT service\.test:443 /)]);
  });
});

// A container runtime is not needed, but the right to change the root folder is.
it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'the container image starts as a user without rights on a read-only root, and plans, applies and reads a script',
  () => {
    const folder = newFolder();
    const [context, image, work] = ['context', 'root', 'work'].map((name) => join(folder, name));
    for (const each of [context, image, work]) mkdirSync(each as string);
    chmodSync(folder, 0o755);
    const names = releaseNames();
    cpSync(join(root, 'LICENSE'), join(release, 'LICENSE'));
    cpSync(join(root, 'examples'), join(release, 'examples'), { recursive: true });
    packCli(context as string, names, { platform: 'script', from: release });
    const built = buildImageFolder(image as string, {
      dockerfile: dockerfile(names),
      context: context as string,
    });
    expect(built).toMatchObject({ user: 'node', workdir: '/work' });
    // The volume of the server gets its owner from this folder.
    expect(statSync(join(built.root, 'data')).uid).toBe(1000);

    const files = {
      'seed.yaml': 'companyId: 1\nhosts: [{ id: 1, name: one }]\n',
      'fleet.yaml': 'version: 1\nhosts: [{ id: 1, name: ONE }]\n',
      'fleet.ts': "import { defineFleet } from 'rampart';\nexport default defineFleet({ hosts: [] });\n",
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(work as string, name), text);
    chownSync(work as string, 1000, 1000);
    const run = (...argv: readonly string[]) => runInImage(built, work as string, argv);
    const start = (...argv: readonly string[]) => run(...built.entrypoint, ...argv);
    expect(run('id', '-u').stdout).toBe('1000\n');
    expect(start(...built.command)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Usage: rampart'),
    });
    const emulated = ['--emulator=seed.yaml', '--emulator-state=state.yaml', '-f', 'fleet.yaml'];
    expect(start('apply', ...emulated, '--auto-approve')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('Verified: the fleet matches the plan.'),
    });
    expect(start('plan', ...emulated, '--detailed-exitcode')).toMatchObject({ status: 0 });
    expect(start('validate', '-f', 'fleet.ts')).toMatchObject({ status: 0 });
    expect(run('touch', '/data/x', '/opt/x')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/Read-only file system[^]*Read-only file system/),
    });
  },
  60_000,
);
