import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { installProvider } from '../../../../bin/provider/install-into-mirror.ts';
import { targetNameOf } from '../../../../bin/provider/target.ts';
import { builtProvider } from '../../../given/built-provider.ts';
import { head } from './fleet-workspace.ts';
import { workspaceIn } from './terraform-cli.ts';

export interface InstalledProvider {
  /** The environment that makes Terraform install the provider. */
  env(): Readonly<Record<string, string>>;
  /** Leaves a folder as `terraform init` does. */
  initialize(folder: string): void;
}

/** Installs the built provider before the tests of the suite, and initializes a folder, which others copy. */
export function installedProvider(): InstalledProvider {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-mirror-'));
  const config = join(folder, 'terraform.rc');
  const initialized = join(folder, 'initialized');
  const env = () => ({
    TF_CLI_CONFIG_FILE: config,
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    NODE_COMPILE_CACHE: join(folder, 'cache'),
  });

  beforeAll(async () => {
    installProvider(await builtProvider(), join(folder, 'mirror'), {
      version: '0.1.0',
      target: targetNameOf(process.platform, process.arch),
    });
    writeFileSync(
      config,
      `provider_installation {\n  filesystem_mirror {\n    path = "${join(folder, 'mirror')}"\n  }\n}\n`,
    );
    mkdirSync(initialized);
    writeFileSync(join(initialized, 'main.tf'), head);
    expect(await workspaceIn(initialized, env()).run('init')).toMatchObject({ status: 0 });
    rmSync(join(initialized, 'main.tf'));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  return { env, initialize: (into) => cpSync(initialized, into, { recursive: true }) };
}
