import { writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { buildProvider } from '../../bin/provider/build-provider.ts';
import { installProvider } from '../../bin/provider/install-into-mirror.ts';
import { targetNameOf } from '../../bin/provider/target.ts';

export interface InstalledProvider {
  /** The program that Terraform starts. */
  readonly program: string;
  /** What makes Terraform find it, and it the Node that runs this. */
  readonly env: Readonly<Record<string, string>>;
}

/** The provider as users have it: built, and in a filesystem mirror. */
export async function installInto(folder: string): Promise<InstalledProvider> {
  const version = '0.0.1';
  await buildProvider(join(folder, 'built'));
  const target = targetNameOf(process.platform, process.arch);
  const home = installProvider(join(folder, 'built'), join(folder, 'mirror'), { version, target });
  const config = join(folder, 'terraform.rc');
  writeFileSync(
    config,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(folder, 'mirror'))}\n  }\n}\n`,
  );
  return {
    program: join(home, `terraform-provider-rampart_v${version}`),
    env: {
      TF_CLI_CONFIG_FILE: config,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      NODE_COMPILE_CACHE: join(folder, 'cache'),
      ...profiling(process.env['RAMPART_BENCH_PROFILE']),
    },
  };
}

/** Every process of the provider leaves a profile of its CPU in that folder, for Chrome's tools. */
function profiling(folder: string | undefined): Readonly<Record<string, string>> {
  return folder === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
}
