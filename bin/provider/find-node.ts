import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';
import { sha256 } from './release.ts';
import { hashedNode, type Target, targetNameOf } from './target.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache', 'node');

export interface FindNodeOptions {
  /** Whether npm may fetch a missing one. */
  readonly fetch: boolean;
  /** Folders that hold npm packages. */
  readonly folders?: readonly string[];
}

/**
 * The Node program, of the running version, for a platform: this one, or that of an npm package. Users run it, so its
 * hash must be the target's.
 */
export function findNode(target: Target, options: FindNodeOptions): string {
  const program = candidateFor(target, options);
  if (sha256(readFileSync(program)) === target.nodeHash) return program;
  throw new Refusal(
    `${program} is not the Node ${hashedNode} for ${target.name} whose SHA-256 bin/provider/target.ts has: an executable would contain a program that nobody has compared.`,
  );
}

function candidateFor(
  { name, nodePackage }: Target,
  { fetch, folders = [join(root, 'node_modules'), cache] }: FindNodeOptions,
): string {
  if (name.startsWith('darwin_'))
    throw new Refusal(
      `${name} has no executable: macOS starts only what is signed, and npm has no Node for it. It runs the script.`,
    );
  if (name === targetNameOf(process.platform, process.arch)) return process.execPath;
  if (nodePackage === null) throw new Refusal(`${name} has no executable: npm has no Node for it.`);
  const { node: version } = process.versions;
  const found = folders.map((folder) => join(folder, nodePackage)).find((each) => isOf(each, version));
  if (found !== undefined) return programIn(found, name);
  if (!fetch)
    throw new Refusal(
      `an executable for ${name} needs the npm package ${nodePackage} ${version}, which is not here: allow npm to get it with --fetch.`,
    );
  return programIn(fetchPackage(nodePackage, version), name);
}

function isOf(folder: string, version: string): boolean {
  const file = join(folder, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version;
}

function programIn(folder: string, target: string): string {
  return join(folder, 'bin', target.startsWith('windows_') ? 'node.exe' : 'node');
}

function fetchPackage(name: string, version: string): string {
  const folder = join(cache, name);
  mkdirSync(folder, { recursive: true });
  const run = (program: string, ...args: readonly string[]): string =>
    execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  try {
    const packed = run('npm', 'pack', `${name}@${version}`, '--pack-destination', cache, '--silent');
    run('tar', 'xzf', join(cache, packed), '-C', folder, '--strip-components=1');
    rmSync(join(cache, packed));
  } catch (error) {
    throw new Refusal(`npm did not bring ${name}@${version}: ${(error as Error).message}`);
  }
  return folder;
}
