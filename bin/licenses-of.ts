import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The licenses of all packages in a bundle, for the text file that has to go with it. Its inputs are named by path. */
export function licensesOf({ inputs }: { readonly inputs: Readonly<Record<string, unknown>> }): string {
  const packages = new Set(
    Object.keys(inputs).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
  );
  return [...packages]
    .toSorted((a, b) => a.localeCompare(b))
    .map((name) => `${name}\n\n${licenseOf(name)}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(name: string): string {
  const folder = join(root, 'node_modules', name);
  for (const file of ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENCE', 'license', 'License']) {
    try {
      return readFileSync(join(folder, file), 'utf8').trim();
    } catch {
      // It has another name.
    }
  }
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly license?: string;
  };
  return `License: ${license ?? 'not stated'}`;
}
