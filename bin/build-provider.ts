import { join } from 'node:path';
import { buildExecutable } from './provider/build-executable.ts';
import { buildProvider } from './provider/build-provider.ts';
import { findNode } from './provider/find-node.ts';
import { readFlags } from './provider/flags.ts';
import { packageVersion } from './provider/package-version.ts';
import { Refusal, runProgram } from './provider/refusal.ts';
import { type Built, sumsName, writeRelease } from './provider/release.ts';
import { signRelease } from './provider/sign-release.ts';
import { scriptTargets, type Target, targetNameOf, targetsFrom } from './provider/target.ts';

const usage = `usage: npm run build:provider -- [--platforms linux_amd64,windows_amd64] [--fetch] [--release [--sign <key>]]
  --platforms   the platforms to make an executable for; this machine's own where it is not given, and none in a release
  --fetch       let npm get the Node of other platforms
  --release     also pack a release: the executables, and the script for all other platforms
  --sign        sign the checksums of the release with this key of GnuPG: its id or its email address`;

const folder = join(import.meta.dirname, '../dist/provider');

await runProgram(async () => {
  const { values } = readFlags(
    process.argv.slice(2),
    {
      platforms: { type: 'string' },
      fetch: { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
      sign: { type: 'string' },
    },
    { usage, positionals: 0 },
  );
  if (values.sign !== undefined && !values.release)
    throw new Refusal(`--sign signs a release: add --release.\n${usage}`);
  const targets = values.platforms === undefined ? usual(values.release) : targetsFrom(values.platforms);
  // All of them are found before anything is built.
  const found = targets.map((target) => ({ target, node: findNode(target, values) }));

  const script = join(folder, 'script');
  const { bytes } = await buildProvider(script);
  console.log(`dist/provider/script: needs Node 24, ${megabytes(bytes)} of code`);
  const executables: Built[] = [];
  for (const { target, node } of found) {
    const at = join(folder, target.name);
    await buildExecutable(at, { target, node });
    console.log(`dist/provider/${target.name}: an executable`);
    executables.push({ target: target.name, folder: at });
  }
  if (!values.release) return;
  const scripts = scriptTargets
    .filter(({ name }) => !targets.some((each) => each.name === name))
    .map(({ name }) => ({ target: name, folder: script }));
  const release = join(folder, 'release');
  const names = [...writeRelease(release, packageVersion(), [...scripts, ...executables])];
  if (values.sign !== undefined) names.push(signRelease(release, sumsName(packageVersion()), values.sign));
  for (const name of names) console.log(`dist/provider/release/${name}`);
});

/** Executables that are built although nobody requested any. */
function usual(isRelease: boolean): readonly Target[] {
  if (isRelease || process.platform === 'darwin') return [];
  return targetsFrom(targetNameOf(process.platform, process.arch));
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
