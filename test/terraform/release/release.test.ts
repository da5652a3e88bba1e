import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installProvider, installRelease } from '../../../bin/provider/install-into-mirror.ts';
import { Refusal } from '../../../bin/provider/refusal.ts';
import { sha256, writeRelease } from '../../../bin/provider/release.ts';
import { signRelease } from '../../../bin/provider/sign-release.ts';
import { clearPackage } from '../../../bin/release/clear-package.ts';

const version = '1.2.3';
const linux = { version, target: 'linux_amd64' };
const start = 'terraform-provider-rampart_1.2.3';
const homeIn = (mirror: string) => join(mirror, 'registry.terraform.io/acme/rampart', version, 'linux_amd64');

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A script and an executable as they are built, as far as a release looks at them. */
function built(folder: string) {
  const [script, executable] = [join(folder, 'script'), join(folder, 'executable')];
  mkdirSync(join(script, 'lib'), { recursive: true });
  mkdirSync(executable);
  writeFileSync(join(script, 'terraform-provider-rampart'), '#!/usr/bin/env node\n');
  chmodSync(join(script, 'terraform-provider-rampart'), 0o755);
  writeFileSync(join(script, 'lib/main.mjs'), 'export {};\n');
  writeFileSync(join(executable, 'terraform-provider-rampart.exe'), 'MZ');
  return [
    { target: 'linux_amd64', folder: script },
    { target: 'windows_amd64', folder: executable },
  ];
}

function released(): string {
  const folder = freshFolder();
  const release = join(folder, 'release');
  writeRelease(release, version, built(folder));
  return release;
}

/** The names and Unix modes in a ZIP's central directory. */
function modesIn(zip: Buffer): Readonly<Record<string, string>> {
  const modes: Record<string, string> = {};
  for (let at = zip.indexOf('PK\x01\x02'); at !== -1; at = zip.indexOf('PK\x01\x02', at + 1)) {
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    modes[name] = (zip.readUInt32LE(at + 38) >>> 16).toString(8);
  }
  return modes;
}

describe('a release', () => {
  test('has what the registry asks for, and checksums of all of it', () => {
    const release = released();
    expect(readdirSync(release)).toEqual([
      `${start}_SHA256SUMS`,
      `${start}_linux_amd64.zip`,
      `${start}_manifest.json`,
      `${start}_windows_amd64.zip`,
    ]);
    expect(JSON.parse(readFileSync(join(release, `${start}_manifest.json`), 'utf8'))).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    });
    const sums = readFileSync(join(release, `${start}_SHA256SUMS`), 'utf8')
      .trim()
      .split('\n');
    expect(sums).toHaveLength(3);
    for (const line of sums) {
      const [sum, name = ''] = line.split('  ');
      expect(sha256(readFileSync(join(release, name)))).toBe(sum);
    }
  });

  test('has programs that can be started, under the names that Terraform starts', () => {
    const release = released();
    expect(modesIn(readFileSync(join(release, `${start}_linux_amd64.zip`)))).toEqual({
      'terraform-provider-rampart_v1.2.3': '100755',
      'lib/main.mjs': '100644',
    });
    expect(modesIn(readFileSync(join(release, `${start}_windows_amd64.zip`)))).toEqual({
      'terraform-provider-rampart_v1.2.3.exe': '100755',
    });
  });

  test('stays when npm pack builds the package anew', () => {
    const dist = freshFolder();
    const folders = ['cdktf', 'cli', 'console', 'provider/release', 'release', 'site'];
    for (const each of folders) mkdirSync(join(dist, each), { recursive: true });
    writeFileSync(join(dist, 'index.js'), '');
    clearPackage(dist);
    expect(readdirSync(dist).sort()).toEqual(['provider', 'release', 'site']);
    expect(readdirSync(join(dist, 'provider'))).toEqual(['release']);
    clearPackage(join(dist, 'none'));
  });

  test('has the same bytes whenever and wherever it is made', () => {
    const before = process.env['TZ'];
    onTestFinished(() => {
      if (before === undefined) delete process.env['TZ'];
      else process.env['TZ'] = before;
    });
    const [here, there] = ['UTC', 'Asia/Tokyo'].map((zone) => {
      process.env['TZ'] = zone;
      const release = released();
      return readdirSync(release).map((name) => [name, sha256(readFileSync(join(release, name)))]);
    });
    expect(there).toEqual(here);
  });
});

describe('a release is installed', () => {
  test('unpacked, with a program that can be started', () => {
    const mirror = freshFolder();
    const home = installRelease(released(), mirror, linux);
    expect(home).toBe(homeIn(mirror));
    expect(new Set(readdirSync(home, { recursive: true, encoding: 'utf8' }))).toEqual(
      new Set(['lib', 'lib/main.mjs', 'terraform-provider-rampart_v1.2.3']),
    );
    expect(statSync(join(home, 'terraform-provider-rampart_v1.2.3')).mode & 0o777).toBe(0o755);
  });

  const refusals: readonly (readonly [string, (release: string) => void, string])[] = [
    ['a folder without one', (release) => rmSync(release, { recursive: true }), 'is no release of version'],
    [
      'no file for the platform',
      (release) => rmSync(join(release, `${start}_linux_amd64.zip`)),
      'has nothing for linux_amd64',
    ],
    [
      'a file that was changed',
      (release) => writeFileSync(join(release, `${start}_linux_amd64.zip`), 'PK'),
      'is not the file that',
    ],
    ...['../../escaped', '..\\..\\escaped', '/escaped', '\\escaped', 'C:escaped'].map(
      (inside) =>
        [
          `a file that would write to ${inside}`,
          (release: string) => {
            const zip = zipSync({ [inside]: strToU8('x') });
            writeFileSync(join(release, `${start}_linux_amd64.zip`), zip);
            writeFileSync(join(release, `${start}_SHA256SUMS`), `${sha256(zip)}  ${start}_linux_amd64.zip\n`);
          },
          'wants to write outside of its folder',
        ] as const,
    ),
  ];

  test.each(refusals)('but not from %s', (_, spoil, message) => {
    const [release, mirror] = [released(), freshFolder()];
    spoil(release);
    expect(() => installRelease(release, mirror, linux)).toThrow(message);
    expect(existsSync(homeIn(mirror))).toBe(false);
  });
});

describe.skipIf(spawnSync('gpg', ['--version']).status !== 0)('the checksums of a release', () => {
  function withKey(name: string): void {
    const home = mkdtempSync('/tmp/gpg-');
    chmodSync(home, 0o700);
    const before = process.env['GNUPGHOME'];
    process.env['GNUPGHOME'] = home;
    onTestFinished(() => {
      spawnSync('gpgconf', ['--kill', 'gpg-agent']);
      if (before === undefined) delete process.env['GNUPGHOME'];
      else process.env['GNUPGHOME'] = before;
      rmSync(home, { recursive: true, force: true });
    });
    const quick = ['--batch', '--passphrase', '', '--quick-generate-key', name, 'ed25519', 'sign', 'never'];
    expect(spawnSync('gpg', quick).status).toBe(0);
  }

  test('are signed with the key of the releaser, in binary form', () => {
    withKey('releases@example.com');
    const release = released();
    const name = signRelease(release, `${start}_SHA256SUMS`, 'releases@example.com');
    expect(name).toBe(`${start}_SHA256SUMS.sig`);
    expect(readFileSync(join(release, name)).subarray(0, 5).toString('latin1')).not.toBe('-----');
    writeFileSync(join(release, `${start}_SHA256SUMS`), 'changed');
    const checked = spawnSync('gpg', ['--verify', join(release, name), join(release, `${start}_SHA256SUMS`)]);
    expect(checked.status).not.toBe(0);
  });

  test('are not signed without that key, or without a release', () => {
    withKey('releases@example.com');
    const release = released();
    expect(() => signRelease(release, `${start}_SHA256SUMS`, 'nobody@example.com')).toThrow(
      'gpg can\'t sign the checksums with the key "nobody@example.com"',
    );
    expect(existsSync(join(release, `${start}_SHA256SUMS.sig`))).toBe(false);
    expect(() => signRelease(freshFolder(), 'SHA256SUMS', 'releases@example.com')).toThrow('is no release');
  });
});

describe('what was built is installed', () => {
  test('with the Node that starts it, if the Node on the PATH is too old', () => {
    const [folder, mirror] = [freshFolder(), freshFolder()];
    const [script] = built(folder);
    const home = installProvider(script?.folder ?? '', mirror, linux, '/opt/node-24/bin/node');
    const launcher = join(home, 'terraform-provider-rampart_v1.2.3');
    expect(readFileSync(launcher, 'utf8')).toBe('#!/opt/node-24/bin/node\n');
    expect(statSync(launcher).mode & 0o777).toBe(0o755);
    for (const node of ['/opt/my node/bin/node', `/${'x'.repeat(200)}/node`])
      expect(() => installProvider(script?.folder ?? '', mirror, linux, node)).toThrow(
        'install with --executable',
      );
    expect(readFileSync(launcher, 'utf8')).toBe('#!/opt/node-24/bin/node\n');
  });

  test('in place of what was there, of which nothing stays', () => {
    const [folder, mirror] = [freshFolder(), freshFolder()];
    const [script] = built(folder);
    mkdirSync(homeIn(mirror), { recursive: true });
    writeFileSync(join(homeIn(mirror), 'left-over'), '');
    installProvider(script?.folder ?? '', mirror, linux);
    expect(readdirSync(homeIn(mirror))).toEqual(['lib', 'terraform-provider-rampart_v1.2.3']);
    expect(readdirSync(join(homeIn(mirror), '..'))).toEqual(['linux_amd64']);
  });

  test('and if that fails, the reason is reported and the old files stay', () => {
    const [folder, mirror] = [freshFolder(), freshFolder()];
    mkdirSync(homeIn(mirror), { recursive: true });
    writeFileSync(join(homeIn(mirror), 'still-here'), '');
    expect(() => installProvider(join(folder, 'nothing'), mirror, linux)).toThrow(Refusal);
    expect(readdirSync(join(homeIn(mirror), '..'))).toEqual(['linux_amd64']);
    expect(readdirSync(homeIn(mirror))).toEqual(['still-here']);
    writeFileSync(join(folder, 'file'), '');
    const [script] = built(folder);
    expect(() => installProvider(script?.folder ?? '', join(folder, 'file'), linux)).toThrow(
      /cannot write the mirror .*: a part of its path is a file/,
    );
  });
});
