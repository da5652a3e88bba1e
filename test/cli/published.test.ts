import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli } from '../../bin/cli/build-cli.ts';

const root = join(import.meta.dirname, '../..');
let release: string;

beforeAll(async () => {
  release = mkdtempSync(join(tmpdir(), 'rampart-published-'));
  mkdirSync(join(release, 'bin'));
  for (const file of ['package.json', 'bin/rampart.js']) cpSync(join(root, file), join(release, file));
  await buildCli(join(release, 'dist/cli'));
}, 120_000);
afterAll(() => rmSync(release, { recursive: true }));

type Files = Readonly<Record<string, string>>;

/** Runs the published program in a folder with these files, with nothing installed beside it. */
function rampart(argv: readonly string[], files: Files = {}, env: Readonly<Record<string, string>> = {}) {
  const cwd = mkdtempSync(join(release, 'work-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(release, 'bin/rampart.js'), ...argv], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: cwd, ...env },
  });
  return { status, stdout, stderr };
}

const hosts = '  - { id: 1, name: one }\n  - { id: 9007199254740993, name: two }\n';
const seed = `hosts:\n${hosts}`;
const swapped = 'version: 1\nhosts:\n  - { id: 1, name: two }\n  - { id: 9007199254740993, name: one }\n';

describe('the published command line', () => {
  it('tells its version, and its help', () => {
    expect(rampart(['--version'])).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
    expect(rampart(['plan', '--help']).stdout).toContain('Usage: rampart plan');
    expect(rampart(['paln']).stderr).toContain('Did you mean plan?');
  });

  it.each([
    ['YAML', 'fleet.yaml', `version: 1\nhosts:\n${hosts}`],
    ['CSV', 'fleet.yaml', 'version: 1\nhostsFrom: hosts.csv\n'],
    [
      'rules, a window and a policy',
      'fleet.yaml',
      `version: 1
rules:
  - name: all
    when: host.name.matches("^o") && host.online
    rename: "X-\${host.name}"
policy:
  freeze: [{ from: 2027-01-01T00:00:00Z, until: 2027-01-02T00:00:00Z }]
  deny: [{ name: quiet, when: 'change.kind == "delete"', message: no }]
`,
    ],
    [
      'TypeScript',
      'fleet.ts',
      "import { defineFleet, host } from 'rampart';\nexport default defineFleet({ version: 1, hosts: [host({ id: 1, name: 'ONE' as string })] });\n",
    ],
  ])('reads a desired state in %s', (_, name, text) => {
    const { status, stdout, stderr } = rampart(['validate', '-f', name], {
      [name]: text,
      'hosts.csv': 'id,name\n1,ONE\n',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Valid: ');
  });

  it('tells where a desired state in TypeScript fails', () => {
    const { status, stderr } = rampart(['validate', '-f', 'fleet.ts'], {
      'fleet.ts': "const site: string = 'x';\nthrow new Error(site);\nexport default {};\n",
    });
    expect(status).toBe(3);
    expect(stderr).toContain('fleet.ts:2');
  });

  it('plans, applies and verifies on the embedded service', () => {
    const files = { 'fleet.yaml': swapped, 'seed.yaml': seed };
    const emulator = ['--emulator=seed.yaml', '--emulator-state', 'state.json'];
    const plan = rampart(['plan', '--json', ...emulator], files);
    expect(plan.stderr).toBe('');
    expect(JSON.parse(plan.stdout)).toMatchObject({ summary: {} });
    const apply = rampart(['apply', '-f', 'fleet.yaml', '--auto-approve', ...emulator], files);
    expect({ status: apply.status, out: apply.stdout + apply.stderr }).toMatchObject({ status: 0 });
  });

  it.each([
    [['plan', '--format', 'html', '--emulator=seed.yaml'], '<!DOCTYPE html>'],
    [['plan', '--format', 'markdown', '--emulator=seed.yaml'], '|'],
    [['plan', '--rehearse', '--emulator=seed.yaml'], 'two'],
    [['hosts', '--format', 'csv', '--emulator=seed.yaml', '--where', 'host.name == "one"'], 'one'],
    [['import', '--format', 'hcl', '--emulator=seed.yaml'], 'resource'],
    [['inventory', 'fields', '--emulator'], 'BatteryName'],
    [['schema'], 'json-schema.org'],
    [['doctor', '--emulator=seed.yaml'], 'Node'],
    [['completion', 'bash'], 'complete'],
    [['explain', 'one', '--emulator=seed.yaml'], 'one'],
  ])('answers to %s', (argv, expected) => {
    const { stdout, stderr } = rampart(argv, { 'fleet.yaml': swapped, 'seed.yaml': seed });
    expect(stderr).not.toContain('unforeseen');
    expect(stdout).toContain(expected);
  });

  it('writes its log, and hands over what a collector is to get', () => {
    const { status, stderr } = rampart(
      ['hosts', '--emulator=seed.yaml', '--log-file', 'log.ndjson'],
      { 'seed.yaml': seed },
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    );
    expect(status).toBe(0);
    expect(stderr).toContain('traces could not be delivered to http://127.0.0.1:1');
  });

  it('asks a service over HTTP, and says that there is none', () => {
    const { status, stderr } = rampart(
      ['hosts'],
      {},
      { RAMPART_BASE_URL: 'http://127.0.0.1:1', RAMPART_COMPANY_ID: '1', RAMPART_PSK: 'not-a-secret' },
    );
    expect(status).toBe(1);
    expect(stderr).toContain('ECONNREFUSED');
  });
});
