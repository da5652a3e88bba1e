import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { terraformPages } from './terraform-docs/pages.ts';

for (const [path, text] of terraformPages()) {
  const file = join(import.meta.dirname, '../docs/terraform', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
