import { dirname, join } from 'node:path';
import { providerAddress } from '../../../../src/terraform/provider/address.ts';
import { mirrorOf } from '../../../terraform/acceptance/given/provider-mirror.ts';

const root = join(import.meta.dirname, '../../../..');

/** The provider of this project, and the stand-in for `hashicorp/null`, as Terraform installs them. */
export function mirrorOfBoth(): Readonly<Record<string, string>> {
  const env = mirrorOf(
    { address: providerAddress, version: '0.1.0', main: join(root, 'src/terraform/main.ts') },
    {
      address: 'registry.terraform.io/hashicorp/null',
      version: '3.2.4',
      main: join(root, 'test/terraform/null-provider/main.ts'),
    },
  );
  // Each command starts both providers: what was compiled once is kept for the next.
  return { ...env, NODE_COMPILE_CACHE: join(dirname(env['TF_CLI_CONFIG_FILE'] ?? ''), 'compiled') };
}
