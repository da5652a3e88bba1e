import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { licensesName } from './provider/build-provider.ts';
import { findNode } from './provider/find-node.ts';
import { readFlags } from './provider/flags.ts';
import { Refusal, runProgram } from './provider/refusal.ts';
import { signRelease } from './provider/sign-release.ts';
import { targetsFrom } from './provider/target.ts';
import { archive } from './release/archive.ts';
import { checkRelease } from './release/check-release.ts';
import { checksumsOf } from './release/checksums.ts';
import { packCli } from './release/cli-archive.ts';
import { composeFile, dockerfile } from './release/container.ts';
import { type Names, releaseNames } from './release/names.ts';
import { packForNpm, packServer } from './release/npm-package.ts';
import { billOfMaterials, packagesIn } from './release/sbom.ts';
import { serverComposeFile, systemdUnit } from './release/server-files.ts';

const usage = `usage: npm run release -- [--platforms linux_amd64,linux_arm64] [--fetch] [--twice] [--sign <key>] [--check]
  --platforms   the platforms whose archives contain Node; linux_amd64 and linux_arm64 where it is not given
  --fetch       let npm get the Node of other platforms
  --twice       build again, and compare the checksums of both
  --sign        sign SHA256SUMS with this key of GnuPG: its id or its email address
  --check       test the release in dist/release, and build nothing`;

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const folder = join(dist, 'release');

await runProgram(async () => {
  const { values } = readFlags(
    process.argv.slice(2),
    {
      platforms: { type: 'string', default: 'linux_amd64,linux_arm64' },
      fetch: { type: 'boolean', default: false },
      twice: { type: 'boolean', default: false },
      sign: { type: 'string' },
      check: { type: 'boolean', default: false },
    },
    { usage, positionals: 0 },
  );
  const names = releaseNames();
  if (values.check) return checkRelease(folder, names);
  // All of them are found before anything is built.
  const found = targetsFrom(values.platforms).map((target) => ({ target, node: findNode(target, values) }));

  const run = (file: string, ...argv: readonly string[]) =>
    execFileSync(process.execPath, [join(root, 'bin', file), ...argv], { cwd: root, stdio: 'inherit' });
  run('build.ts');
  run(
    'build-provider.ts',
    '--release',
    '--platforms',
    values.platforms,
    ...(values.fetch ? ['--fetch'] : []),
  );

  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  packForNpm(folder, names);
  packServer(folder);
  for (const { target, node } of found) {
    packCli(folder, names, { platform: target.name.replace('_', '-').replace('amd64', 'x64'), node });
  }
  packCli(folder, names, { platform: 'script' });
  packAction(names);
  for (const name of readdirSync(join(dist, 'provider/release'))) {
    if (!name.endsWith('SHA256SUMS')) copyFileSync(join(dist, 'provider/release', name), join(folder, name));
  }
  writeFileSync(join(folder, 'Dockerfile'), dockerfile(names));
  writeFileSync(join(folder, 'compose.yaml'), composeFile(names));
  writeFileSync(join(folder, 'compose.server.yaml'), serverComposeFile(names));
  for (const command of ['server', 'worker'] as const)
    writeFileSync(join(folder, `rampart-${command}.service`), systemdUnit(command));
  writeFileSync(join(folder, 'sbom.cdx.json'), billOfMaterials(names.package, contained()));
  writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(folder));
  if (values.twice) {
    const first = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    run('release.ts', '--platforms', values.platforms, ...(values.fetch ? ['--fetch'] : []));
    sameSums(first, readFileSync(join(folder, 'SHA256SUMS'), 'utf8'));
  }
  if (values.sign !== undefined) signRelease(folder, 'SHA256SUMS', values.sign);
  if (values.twice) return;
  for (const name of readdirSync(folder)) console.log(`dist/release/${name}`);
});

function sameSums(first: string, second: string): void {
  const before = new Set(first.split('\n'));
  const changed = second.split('\n').filter((line) => !before.has(line));
  if (changed.length > 0 || first !== second)
    throw new Refusal(`another build of the same sources has other bytes:\n${changed.join('\n')}`);
  console.log('works: both builds have the same bytes');
}

/** The Action as the root folder of a repository: the content of a release tag. */
function packAction({ package: name, version }: Names): void {
  const parent = mkdtempSync(join(tmpdir(), 'rampart-action-'));
  try {
    const inside = `${name}-action-${version}`;
    mkdirSync(join(parent, inside));
    for (const file of ['action.yml', 'LICENSE', 'dist/action'])
      cpSync(join(root, file), join(parent, inside, file), { recursive: true });
    archive(join(folder, `${inside}.tar.gz`), { parent, folder: inside });
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** The packages inside the bundles, and those that the npm package depends on. */
function contained(): ReadonlySet<string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const bundles = [
    join(dist, 'cli/licenses.txt'),
    join(dist, 'server/licenses.txt'),
    join(dist, 'lib/licenses.txt'),
    join(dist, 'action/licenses.txt'),
    join(dist, 'provider/script', licensesName),
  ];
  return new Set([
    ...Object.keys(dependencies),
    ...bundles.flatMap((file) => packagesIn(readFileSync(file, 'utf8'))),
  ]);
}
