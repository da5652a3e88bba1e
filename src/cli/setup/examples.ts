import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearest, quoted } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { ownPackage, packageFolder } from '../shell/version.ts';
import type { NewFile } from './replace-files.ts';

/**
 * The examples that `rampart init --from` offers: the folders with a README.
 *
 * @public
 */
function exampleNames(): readonly string[] {
  const folder = examplesFolder();
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, 'README.md')));
}

/** The files of an example, relative to its folder. Links of its README to other pages lead to the repository. */
export function exampleFiles(name: string): Result<readonly NewFile[]> {
  const names = exampleNames();
  if (!names.includes(name)) {
    const [similar] = nearest(name, names);
    return failed(
      problem('usage', `there is no example ${quoted(name)}`, {
        hint: `${similar === undefined ? '' : `did you mean ${quoted(similar)}? `}the examples are ${names.join(', ')}`,
      }),
    );
  }
  const folder = join(examplesFolder(), name);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const pages = `](https://github.com/${ownPackage().action}/blob/main/`;
  return ok(
    entries.flatMap((entry) => {
      const file = join(entry.parentPath, entry.name).slice(folder.length + 1);
      if (!entry.isFile()) return [];
      const text = readFileSync(join(folder, file), 'utf8');
      return [{ file, text: file === 'README.md' ? text.replaceAll('](../../', pages) : text }];
    }),
  );
}

function examplesFolder(): string {
  return join(packageFolder() ?? '', 'examples');
}
