import { join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { requireInModules } from '../bundle-options.ts';
import { leanUndici } from '../lean-undici.ts';

const root = join(import.meta.dirname, '../..');

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

const entry = 'src/terraform/main.ts';

/** The provider as modules, `main.mjs` first, of which each process loads only what it needs. */
export async function bundleInParts(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    ...common,
    entryPoints: [entry],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [leanUndici],
    format: 'esm',
    banner: requireInModules,
  });
  return metafile;
}

/** The provider as one file, because an executable can hold only one. */
export async function bundleWhole(file: string): Promise<Metafile> {
  const { metafile } = await build({
    ...common,
    entryPoints: [entry],
    outfile: file,
    format: 'cjs',
  });
  return metafile;
}
