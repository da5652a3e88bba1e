import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version that is built and released: that of the package. */
export function packageVersion(): string {
  const file = join(import.meta.dirname, '../../package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
