import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Mirrored {
  /** `registry.terraform.io/hashicorp/null` */
  readonly address: string;
  readonly version: string;
  /** The file that Node runs. */
  readonly main: string;
}

/** A filesystem mirror with providers, started by their scripts; gives the environment that makes Terraform use it. */
export function mirrorOf(...providers: readonly Mirrored[]): Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const target = `${platform()}_${{ x64: 'amd64', ia32: '386' }[arch() as string] ?? arch()}`;
  for (const { address, version, main } of providers) {
    const home = join(folder, 'mirror', address, version, target);
    mkdirSync(home, { recursive: true });
    const launcher = join(home, `terraform-provider-${address.split('/').at(-1)}_v${version}`);
    writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
    chmodSync(launcher, 0o755);
  }
  const config = join(folder, 'terraform.rc');
  writeFileSync(
    config,
    `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, 'mirror')}"\n  }\n}\n`,
  );
  // Each command starts the providers: compiled code is cached for the next one.
  return { TF_CLI_CONFIG_FILE: config, NODE_COMPILE_CACHE: join(folder, 'compiled') };
}
