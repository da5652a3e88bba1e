import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildProvider } from './provider/build-provider.ts';
import { installProvider, targetOf } from './provider/install-into-mirror.ts';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
// The folder that Terraform looks into by itself.
const mirror = process.argv[2] ?? join(homedir(), '.terraform.d/plugins');
const built = join(root, 'dist/provider');
if (!existsSync(built)) await buildProvider(built);
console.log(installProvider(built, mirror, version, targetOf(process.platform, process.arch)));
