import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { serverPackage } from '../../src/server/database/server-package.ts';
import { bundled } from '../bundle-options.ts';
import { licensesOf } from '../licenses-of.ts';
import { ownDatabase } from './own-database.ts';
import { writeEmptyDatabase } from './write-empty-database.ts';

const root = join(import.meta.dirname, '../..');

/** PostgreSQL in WebAssembly, which the thread finds in its own folder. */
const files = ['pglite.wasm', 'pglite.data', 'initdb.wasm', 'pg_trgm.tar.gz'];
const from = join(root, 'node_modules/@electric-sql/pglite/dist');

/** Adds the embedded database to what `buildCli` wrote for the server, as an npm package with the version of this one. */
export async function buildServer(folder: string): Promise<void> {
  const { metafile } = await build({
    ...bundled,
    entryPoints: ['src/server/database/pglite-thread.ts'],
    outdir: folder,
    plugins: [ownDatabase],
  });
  copyFileSync(await writeEmptyDatabase(), join(folder, 'empty-database.tar.br'));
  for (const name of files) copyFileSync(join(from, name), join(folder, name));
  appendFileSync(join(folder, 'licenses.txt'), `\n${'-'.repeat(80)}\n\n${licensesOf(metafile)}`);
  const { version, license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly license: string;
    readonly repository: unknown;
  };
  const manifest = {
    name: serverPackage,
    version,
    description:
      'Rampart Server: what the command line loads to run it, its console and its embedded database.',
    license,
    repository,
    type: 'module',
    engines: { node: '>=24' },
    exports: { './package.json': './package.json' },
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
