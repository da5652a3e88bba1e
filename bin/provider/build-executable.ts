import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { licensesOf } from '../licenses-of.ts';
import { launcherName, licensesName } from './build-provider.ts';
import { bundleWhole } from './bundle.ts';
import { Refusal } from './refusal.ts';
import type { Target } from './target.ts';

const require = createRequire(import.meta.url);
const postject = require.resolve('postject/dist/cli.js');

// Node looks for this text in itself to learn whether it carries a program.
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const { version } = process;
const ofNode = `Node.js ${version}\n\nhttps://github.com/nodejs/node/blob/${version}/LICENSE\n`;

/** Writes the provider as one program that needs no Node, made of Node's own for that platform; gives its path. */
export async function buildExecutable(
  folder: string,
  { target, node }: { readonly target: Target; readonly node: string },
): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const inFolder = (name: string): string => join(folder, name);
  const [code, config, blob] = ['provider.cjs', 'sea.json', 'provider.blob'].map(inFolder) as [
    string,
    string,
    string,
  ];
  const executable = inFolder(`${launcherName}${target.name.startsWith('windows_') ? '.exe' : ''}`);
  const metafile = await bundleWhole(code);
  writeFileSync(config, JSON.stringify({ main: code, output: blob, disableExperimentalSEAWarning: true }));
  run(process.execPath, ['--experimental-sea-config', config]);
  copyFileSync(node, executable);
  chmodSync(executable, 0o755);
  run(process.execPath, [postject, executable, 'NODE_SEA_BLOB', blob, '--sentinel-fuse', fuse]);
  for (const file of [code, config, blob]) rmSync(file);
  writeFileSync(join(folder, licensesName), `${ofNode}\n${'-'.repeat(80)}\n\n${licensesOf(metafile)}`);
  return executable;
}

/** What it prints is shown only when it fails: postject warns of sections that do not matter. */
function run(program: string, args: readonly string[]): void {
  try {
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw new Refusal((error as Error).message);
  }
}
