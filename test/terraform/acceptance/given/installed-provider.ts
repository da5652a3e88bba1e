import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll } from 'vitest';
import { buildProvider } from '../../../../bin/provider/build-provider.ts';
import { installProvider } from '../../../../bin/provider/install-into-mirror.ts';
import { targetNameOf } from '../../../../bin/provider/target.ts';

/** Builds the provider before the tests of the suite, and gives the environment that makes Terraform install it. */
export function installedProvider(): () => Readonly<Record<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-mirror-'));
  const config = join(folder, 'terraform.rc');

  beforeAll(async () => {
    await buildProvider(join(folder, 'built'));
    installProvider(join(folder, 'built'), join(folder, 'mirror'), {
      version: '0.1.0',
      target: targetNameOf(process.platform, process.arch),
    });
    writeFileSync(
      config,
      `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, 'mirror')}"\n  }\n}\n`,
    );
    return () => rmSync(folder, { recursive: true, force: true });
  });

  return () => ({
    TF_CLI_CONFIG_FILE: config,
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    NODE_COMPILE_CACHE: join(folder, 'cache'),
  });
}
