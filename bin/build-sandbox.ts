import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/**
 * Writes what runs the scripts of desired states into the folder `sandbox` of a folder: the program of their process,
 * the modules inside the sandbox, and QuickJS. That process may read only this folder.
 */
export async function buildSandbox(folder: string): Promise<Metafile> {
  const sandbox = join(folder, 'sandbox');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['script-child', 'realm'].map((name) => `src/input/typescript/sandbox/${name}.ts`),
    outdir: sandbox,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // Shorter syntax loses the position of a script that was stopped after a promise.
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // The name under which the package looks for it in its own folder.
  copyFileSync(
    require.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'),
    join(sandbox, 'emscripten-module.wasm'),
  );
  return metafile;
}
