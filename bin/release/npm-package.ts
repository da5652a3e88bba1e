import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { absoluteLinks } from './absolute-links.ts';
import { type Names, nameActionCommit } from './names.ts';

const root = join(import.meta.dirname, '../..');

/** Packs the built checkout for npm, with a README whose links are absolute. Returns the name of the file. */
export function packForNpm(folder: string, names: Names): string {
  const stage = mkdtempSync(join(tmpdir(), 'rampart-package-'));
  try {
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly files: readonly string[];
    };
    const left = new Set(files.flatMap((each) => (each.startsWith('!') ? [join(root, each.slice(1))] : [])));
    for (const path of ['package.json', 'LICENSE', ...files.filter((each) => !each.startsWith('!'))]) {
      mkdirSync(join(stage, path, '..'), { recursive: true });
      cpSync(join(root, path), join(stage, path), { recursive: true, filter: (from) => !left.has(from) });
    }
    nameActionCommit(stage, names);
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    writeFileSync(join(stage, 'README.md'), absoluteLinks(readme, names.files));
    return pack(stage, folder);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** Packs what only a server needs, which has the version of the checkout. Returns the name of the file. */
export function packServer(folder: string): string {
  return pack(join(root, 'dist/server'), folder);
}

function pack(from: string, folder: string): string {
  return execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: from,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}
