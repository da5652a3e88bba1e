import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { buildSandbox } from './build-sandbox.ts';
import { bundled, requireInModules } from './bundle-options.ts';
import { leanFetch } from './lean-fetch.ts';
import { licensesOf } from './licenses-of.ts';

const root = join(import.meta.dirname, '..');

/** The most that a workflow should have to fetch. */
const mostBytes = 6_000_000;

const leavesOut: Plugin = {
  name: 'leaves-out',
  setup({ onResolve }) {
    onResolve({ filter: /\/commands\/(?:mcp|server)\.ts$/ }, () => ({
      path: join(root, 'src/action/left-out.ts'),
    }));
  },
};

/**
 * Writes the GitHub Action as one file, with the sandbox of scripts next to it, and the licenses of everything in them.
 * Returns the size of the action in bytes.
 */
export async function buildAction(folder: string): Promise<number> {
  const { metafile } = await build({
    ...bundled,
    charset: 'utf8',
    entryPoints: { index: 'src/action/main.ts' },
    outdir: folder,
    banner: requireInModules,
    plugins: [leavesOut, leanFetch],
  });
  const sandbox = await buildSandbox(folder);
  const inputs = { ...metafile.inputs, ...sandbox.inputs };
  writeFileSync(join(folder, 'licenses.txt'), licensesOf({ inputs }));
  const bytes = readFileSync(join(folder, 'index.js')).length;
  if (bytes > mostBytes) throw new Error(`the action has ${bytes} bytes, more than ${mostBytes}`);
  return bytes;
}
