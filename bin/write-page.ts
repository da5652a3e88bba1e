import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pageScriptText, pageStyleText } from './page/page-parts.ts';

/** Writes the script and the style of the HTML report as modules. */
const root = join(import.meta.dirname, '..');
const parts = { 'page-script': pageScriptText(), 'page-style': pageStyleText() };

for (const [name, text] of Object.entries(parts)) {
  const path = join('src/output/page', `${name}.ts`);
  const constant = name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase());
  const comment = '/** Written by bin/write-page.ts from the files in `browser/`. */';
  writeFileSync(join(root, path), `${comment}\nexport const ${constant} = ${JSON.stringify(text)};\n`);
  spawnSync('biome', ['format', '--write', path], { cwd: root, stdio: 'inherit' });
  console.log(`wrote ${path}`);
}
