import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archive } from './archive.ts';
import { type Names, nameActionCommit } from './names.ts';

const root = join(import.meta.dirname, '../..');

/** Resolves links, so that a link to it in a folder on the PATH works. */
const launcher = `#!/bin/sh
self=$(readlink -f "$0") && here=$(dirname "$self") || exit 1
exec "$here/node" "$here/rampart.js" "$@"
`;

const licenseOfNode = (version: string) =>
  `Node.js ${version}\n\nhttps://github.com/nodejs/node/blob/${version}/LICENSE\n`;

export interface PackOptions {
  readonly platform: string;
  /** The Node inside; none if absent. */
  readonly node?: string;
  /** The folder with the built command line; this checkout if absent. */
  readonly from?: string;
}

/**
 * Packs the built command line as an archive that needs no installation: with Node inside for one platform, or without,
 * for machines that have Node 24. Returns the name of the file.
 */
export function packCli(folder: string, names: Names, { platform, node, from = root }: PackOptions): string {
  const name = `${names.package}-${names.version}-${platform}`;
  const parent = mkdtempSync(join(tmpdir(), 'rampart-archive-'));
  try {
    const inside = join(parent, name);
    mkdirSync(join(inside, 'bin'), { recursive: true });
    const shipped = ['package.json', 'LICENSE', 'bin/rampart.js', 'bin/own-cache-folder.mjs'];
    for (const file of [...shipped, 'dist/cli', 'dist/server', 'examples'])
      cpSync(join(from, file), join(inside, file), { recursive: true });
    nameActionCommit(inside, names);
    if (node !== undefined) {
      copyFileSync(node, join(inside, 'bin/node'));
      chmodSync(join(inside, 'bin/node'), 0o755);
      writeFileSync(join(inside, 'bin/rampart'), launcher, { mode: 0o755 });
      writeFileSync(join(inside, 'bin/node-license.txt'), licenseOfNode(process.version));
    } else {
      chmodSync(join(inside, 'bin/rampart.js'), 0o755);
      writeFileSync(join(inside, 'bin/rampart'), launcher.replace('"$here/node" ', 'node '), { mode: 0o755 });
    }
    const file = `${name}.tar.gz`;
    archive(join(folder, file), { parent, folder: name });
    return file;
  } finally {
    rmSync(parent, { recursive: true });
  }
}
