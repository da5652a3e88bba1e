import { chmodSync, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { launcherName } from './build-provider.ts';

/** Where the registry, and every mirror, has the provider. */
const providerPath = 'registry.terraform.io/acme/rampart';

/** Terraform's words for Node's platform and architecture: `linux_amd64`. */
export function targetOf(platform: string, arch: string): string {
  const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
  return `${platform === 'win32' ? 'windows' : platform}_${architectures[arch] ?? arch}`;
}

/** Puts the built provider into a filesystem mirror, unpacked, where Terraform finds it; gives its folder. */
export function installProvider(built: string, mirror: string, version: string, target: string): string {
  const home = join(mirror, providerPath, version, target);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  cpSync(built, home, { recursive: true });
  const launcher = join(home, `${launcherName}_v${version}`);
  renameSync(join(home, launcherName), launcher);
  chmodSync(launcher, 0o755);
  return home;
}
