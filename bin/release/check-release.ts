import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverPackage } from '../../src/server/database/server-package.ts';
import { launcherName } from '../provider/build-provider.ts';
import { Refusal } from '../provider/refusal.ts';
import { zipName } from '../provider/release.ts';
import { targetNameOf } from '../provider/target.ts';
import { checksumsOf } from './checksums.ts';
import { buildImageFolder, runInImage } from './image-folder.ts';
import type { Names } from './names.ts';

const root = join(import.meta.dirname, '../..');
const seed = join(root, 'examples/main-job/seed.yaml');
const fleet = join(root, 'examples/main-job/fleet.yaml');

/** Uses everything in a release as its users do, each in an empty folder, without access to this checkout. */
export async function checkRelease(release: string, names: Names): Promise<void> {
  if (!existsSync(join(release, 'SHA256SUMS')))
    throw new Refusal(`there is no release in ${release}: make one with "npm run release" first.`);
  const folder = mkdtempSync(join(tmpdir(), 'rampart-release-'));
  try {
    if (checksumsOf(release) !== readFileSync(join(release, 'SHA256SUMS'), 'utf8'))
      throw new Refusal('the files of the release are not those that SHA256SUMS lists');
    done('the checksums');
    const platform = process.arch === 'x64' ? 'linux-x64' : `linux-${process.arch}`;
    for (const kind of [platform, 'script']) {
      const name = `${names.package}-${names.version}-${kind}`;
      if (!existsSync(join(release, `${name}.tar.gz`))) continue;
      execFileSync('tar', ['xzf', join(release, `${name}.tar.gz`), '-C', folder]);
      await checkCommandLine([join(folder, name, 'bin/rampart')], work(folder, kind), kind);
    }
    checkImage(release, folder);
    const installed = work(folder, 'npm');
    const packed = [names.package, serverPackage].map((each) =>
      join(release, `${each}-${names.version}.tgz`),
    );
    writeFileSync(join(installed, 'package.json'), '{"private":true,"type":"module"}');
    // With the user's own configuration of npm.
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', ...packed], {
      cwd: installed,
      stdio: 'inherit',
    });
    await checkCommandLine(
      [process.execPath, join(installed, 'node_modules', names.package, 'bin/rampart.js')],
      work(folder, 'npm-work'),
      'the npm package',
    );
    run(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `const { createEmulator, loadDesired } = await import('${names.package}'); if (!createEmulator || !loadDesired) process.exit(1)`,
      ],
      installed,
    );
    done('the library');
    checkAction(release, names, folder);
    await checkProvider(release, names, work(folder, 'provider'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The main job, a desired state in TypeScript, the page, the emulator, and the server with its embedded database. */
async function checkCommandLine(program: readonly string[], folder: string, what: string): Promise<void> {
  const [file = '', ...first] = program;
  const rampart = (...argv: readonly string[]) => run(file, [...first, ...argv], folder);
  copyFileSync(seed, join(folder, 'seed.yaml'));
  copyFileSync(fleet, join(folder, 'fleet.yaml'));
  const emulated = ['--emulator=seed.yaml', '--emulator-state=state.yaml'];
  rampart('plan', ...emulated, '--out', 'plan.json');
  const page = rampart('show', 'plan.json', '--format', 'html');
  if (!page.startsWith('<!DOCTYPE html>') || page.includes('\uFFFD') || !page.includes('→'))
    throw new Refusal(`${what}: the page is not readable`);
  rampart('apply', 'plan.json', ...emulated);
  rampart('plan', ...emulated, '--detailed-exitcode');
  mkdirSync(join(folder, 'script'));
  writeFileSync(
    join(folder, 'script/fleet.ts'),
    `import { defineFleet } from '${'rampart'}';\nexport default defineFleet({ hosts: [] });\n`,
  );
  rampart('validate', '-f', 'script/fleet.ts');
  await expectOutput(
    file,
    [...first, 'emulator', '--port', '0', '--json'],
    folder,
    /http:\/\/127\.0\.0\.1:\d+/,
  );
  await expectOutput(
    file,
    [...first, 'server', '--emulator', '--listen', '127.0.0.1:0'],
    folder,
    /login\/link\?ticket=/,
  );
  done(what);
}

/** Runs a program until it prints this, and stops it. */
async function expectOutput(
  file: string,
  argv: readonly string[],
  folder: string,
  expected: RegExp,
): Promise<void> {
  const child = spawn(file, argv, { cwd: folder, env: surroundings(folder) });
  const closed = once(child, 'close');
  let printed = '';
  try {
    for await (const chunk of child.stdout) {
      printed += String(chunk);
      if (expected.test(printed)) return;
    }
    throw new Refusal(`${argv.join(' ')} ended early: ${printed}`);
  } finally {
    child.kill();
    await closed;
  }
}

/** Follows the Dockerfile in a folder, and runs its entry point as its user. It needs no container runtime, but root. */
function checkImage(release: string, folder: string): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.log('not tried: the container image, which needs root on Linux');
    return;
  }
  const dockerfile = readFileSync(join(release, 'Dockerfile'), 'utf8');
  const image = buildImageFolder(work(folder, 'image'), { dockerfile, context: release });
  const { status, stderr } = runInImage(image, work(folder, 'image-work'), [
    ...image.entrypoint,
    ...image.command,
  ]);
  if (status !== 0) throw new Refusal(`the container image does not start:\n${stderr}`);
  done('the container image, on the Node of this machine');
}

function checkAction(release: string, names: Names, folder: string): void {
  const name = `${names.package}-action-${names.version}`;
  execFileSync('tar', ['xzf', join(release, `${name}.tar.gz`), '-C', folder]);
  const missing = ['action.yml', 'dist/action/index.js'].filter(
    (each) => !existsSync(join(folder, name, each)),
  );
  if (missing.length > 0) throw new Refusal(`the Action lacks ${missing.join(', ')}`);
  const { status } = spawnSync(process.execPath, ['--check', join(folder, name, 'dist/action/index.js')]);
  if (status !== 0) throw new Refusal('the Action is no module');
  done('the Action');
}

/** Starts the provider as Terraform does, and waits for the line of its handshake. */
async function checkProvider(release: string, names: Names, folder: string): Promise<void> {
  const file = zipName(names.version, targetNameOf(process.platform, process.arch));
  execFileSync('unzip', ['-q', join(release, file), '-d', folder]);
  const program = readdirSync(folder).find((each) => each.startsWith(launcherName)) ?? '';
  const child = spawn(join(folder, program), [], {
    env: {
      ...surroundings(folder),
      TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
      PLUGIN_PROTOCOL_VERSIONS: '6',
    },
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    if (!String(line).startsWith('1|6|')) throw new Refusal(`the provider does not start: ${String(line)}`);
    done('the Terraform provider');
  } finally {
    child.kill();
  }
}

function work(folder: string, name: string): string {
  const path = join(folder, `in-${name}`);
  mkdirSync(path);
  return path;
}

function surroundings(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: folder };
}

function run(file: string, argv: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(file, argv, {
    cwd,
    env: surroundings(cwd),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return stdout;
  throw new Refusal(`${[file, ...argv].join(' ')} ended with ${status ?? error?.message}:\n${stderr}`);
}

function done(what: string): void {
  console.log(`works: ${what}`);
}
