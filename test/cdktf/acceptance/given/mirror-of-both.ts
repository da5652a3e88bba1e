import { join } from 'node:path';
import { providerAddress } from '../../../../src/terraform/provider/address.ts';
import { builtProvider } from '../../../given/built-provider.ts';
import { mirrorOf } from '../../../terraform/acceptance/given/provider-mirror.ts';

const root = join(import.meta.dirname, '../../../..');

/** The provider of this project, and the stand-in for `hashicorp/null`, as Terraform installs them. */
export async function mirrorOfBoth(): Promise<Readonly<Record<string, string>>> {
  return mirrorOf(
    { address: providerAddress, version: '0.1.0', main: join(await builtProvider(), 'lib/main.mjs') },
    {
      address: 'registry.terraform.io/hashicorp/null',
      version: '3.2.4',
      main: join(root, 'test/terraform/null-provider/main.ts'),
    },
  );
}
