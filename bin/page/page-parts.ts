import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const source = join(root, 'src/output/page/browser');
const compiled = join(root, '.cache/page');

/** The style sheet of the HTML report, after the colors that it shares with the console. */
export function pageStyleText(): string {
  return ['tokens.css', 'page.css'].map((name) => readFileSync(join(source, name), 'utf8')).join('');
}

/** The script of the HTML report: checked and stripped of its types by tsc, then joined to one module. */
export function pageScriptText(): string {
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', source], { encoding: 'utf8' });
  if (tsc.status !== 0)
    throw new Error(`the script of the page does not compile\n${tsc.stdout}${tsc.stderr}`);
  return joinedFrom('browser/main.js', new Set());
}

/** A file after all that it imports, each once. */
function joinedFrom(path: string, joined: Set<string>): string {
  if (joined.has(path)) return '';
  joined.add(path);
  const text = readFileSync(join(compiled, path), 'utf8');
  const imported = Array.from(text.matchAll(importLine), ([, from = '']) =>
    joinedFrom(join(path, '..', from), joined),
  );
  return imported.join('') + text.replaceAll(importLine, '').replaceAll(exportWord, '');
}

const importLine = /^import .* from '(.+)';\n/gm;
const exportWord = /^export (?:\{\};\n)?/gm;
