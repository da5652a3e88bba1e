import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '../..');

/** The program that Terraform starts. */
export const launcherName = 'terraform-provider-rampart';
const codeFolder = 'lib';

// Packages in CommonJS ask for built-in modules in their own way.
const requireInModules =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

// Parts of their own have no named exports of packages in CommonJS, unless something names them.
const namedExports: Plugin = {
  name: 'named-exports',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, namespace: 'named-exports' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'named-exports' }, () => ({
      contents: "export { EnvHttpProxyAgent, Pool } from 'undici';",
      resolveDir: root,
    }));
  },
};

// Terraform starts the provider several times a command: what was compiled once is kept for the next.
const launcher = `#!/usr/bin/env node
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error('panic: terraform-provider-rampart needs Node 24 or newer, and this is ' + process.version);
  process.exit(1);
}
import('node:module').then((module) => {
  module.enableCompileCache();
  return import('./${codeFolder}/main.mjs');
});
`;

/**
 * Writes the provider: a launcher, and beside it a folder with all of its code, in parts of which each process loads
 * only what it needs. Gives the size of the code in bytes.
 */
export async function buildProvider(folder: string): Promise<{ readonly bytes: number }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const code = join(folder, codeFolder);
  await build({
    absWorkingDir: root,
    entryPoints: ['src/terraform/main.ts'],
    outdir: code,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    plugins: [namedExports],
    platform: 'node',
    format: 'esm',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    charset: 'utf8',
    banner: { js: requireInModules },
    logLevel: 'warning',
  });
  const start = join(folder, launcherName);
  writeFileSync(start, launcher);
  chmodSync(start, 0o755);
  return { bytes: readdirSync(code).reduce((sum, name) => sum + statSync(join(code, name)).size, 0) };
}
