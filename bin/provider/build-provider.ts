import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licensesOf } from '../licenses-of.ts';
import { ownCacheFolder } from '../own-cache-folder.mjs';
import { bundleInParts } from './bundle.ts';

/** The program that Terraform starts. */
export const launcherName = 'terraform-provider-rampart';
export const licensesName = 'licenses.txt';
const codeFolder = 'lib';

// Terraform starts the provider several times a command: compiled code is cached for the next start.
const launcher = `#!/usr/bin/env node
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error('panic: terraform-provider-rampart needs Node 24 or newer, and this is ' + process.version);
  process.exit(1);
}
${String(ownCacheFolder)}
import('node:module').then((module) => {
  const folder = ownCacheFolder();
  if (folder !== undefined) module.enableCompileCache(folder);
  return import('./${codeFolder}/main.mjs');
});
`;

/**
 * Writes the provider as a script: a launcher, and next to it a folder with all of its code, in parts of which each
 * process loads only what it needs. Returns the size of the code in bytes.
 */
export async function buildProvider(folder: string): Promise<{ readonly bytes: number }> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const code = join(folder, codeFolder);
  const metafile = await bundleInParts(code);
  writeFileSync(join(folder, licensesName), licensesOf(metafile));
  const start = join(folder, launcherName);
  writeFileSync(start, launcher);
  chmodSync(start, 0o755);
  return { bytes: readdirSync(code).reduce((sum, name) => sum + statSync(join(code, name)).size, 0) };
}
