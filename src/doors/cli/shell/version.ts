import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Package {
  readonly name: string;
  readonly version: string;
}

/** Rampart's own version: that of the package that contains this file, on its own or in a bundle. */
export function version(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const found = packageIn(folder);
    if (found?.name === 'rampart') return found.version;
    if (folder === dirname(folder)) return 'unknown';
  }
}

function packageIn(folder: string): Package | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Package;
  } catch {
    return undefined;
  }
}
