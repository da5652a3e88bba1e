import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { requireInModules } from './bundle-options.ts';
import { leanUndici } from './lean-undici.ts';
import { licensesOf } from './licenses-of.ts';
import { ownSources } from './own-sources.ts';

const root = join(import.meta.dirname, '..');

/** The source of each entry of the package, by the name of its module and types in `dist/lib`. */
export const libraryEntries = {
  index: 'src/index.ts',
  cdktf: 'src/cdktf/index.ts',
  'cdktf-on-cdktn': 'src/cdktf/on-cdktn.ts',
  client: 'src/api/client/index.ts',
} as const;

// The sandbox of scripts is that of the command line.
const besideCli = "new URL('../cli/bundle.js', import.meta.url).href";

/**
 * Writes the library as modules that contain all packages but zod, which its types name, and its optional peers. Returns the size of the modules in bytes.
 */
export async function buildLibrary(folder: string): Promise<number> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { ...libraryEntries },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['zod', 'cdktf', 'cdktn', 'constructs', '@cdktf/provider-null'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [ownSources(besideCli), leanUndici],
    banner: requireInModules,
  });
  writeFileSync(join(folder, 'licenses.txt'), licensesOf(metafile));
  return Object.values(metafile.outputs).reduce((sum, { bytes }) => sum + bytes, 0);
}
