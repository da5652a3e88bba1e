import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failed, problem, type Result } from '../../core/problem/problem.ts';
import { makeFolder } from '../../run/state/files/make-folder.ts';
import type { EmulatorCredentials } from '../../service/emulator/credentials.ts';
import type { Context } from '../shell/context.ts';
import { writeWhole } from '../shell/files.ts';
import type { OpeningAccount } from './emulated-accounts.ts';

export interface ServedAccount extends OpeningAccount {
  readonly credentials: EmulatorCredentials;
}

/** The folder of the key files, next to the configuration. */
export const emulatorKeys = 'keys';

const mark = '# Written by: rampart emulator --write-config';
const regions = ['eu', 'us', 'apac'] as const;
const tiers = ['gold', 'silver', 'silver', 'bronze', 'bronze'] as const;

/**
 * Writes a configuration of the served accounts, with made-up labels, and a key file for each account. Replaces only a
 * configuration that it wrote itself. The configuration never contains a key.
 */
export async function writeEmulatorConfig(
  context: Context,
  file: string,
  url: string,
  accounts: readonly ServedAccount[],
): Promise<Result<null>> {
  const path = context.path(file);
  const before = await readFile(path, 'utf8').catch(() => mark);
  if (!before.startsWith(mark)) {
    return failed(
      problem('usage', `${file} exists, and is not from "rampart emulator": it was not replaced`, {
        hint: 'choose another name, or move the file away',
      }),
    );
  }
  const keys = join(dirname(path), emulatorKeys);
  makeFolder(keys, 0o700);
  for (const { name, credentials } of accounts) {
    const shown = join(dirname(file), emulatorKeys, `${name}.key`);
    const written = await writeWhole(join(keys, `${name}.key`), shown, `${credentials.psk}\n`, {
      mode: 0o600,
    });
    if (!written.ok) return written;
  }
  return writeWhole(path, file, configText(url, accounts));
}

function configText(url: string, accounts: readonly ServedAccount[]): string {
  const lines = accounts.map(({ name, credentials }, index) => {
    const labels = `{ region: ${regions[index % regions.length]}, tier: ${tiers[index % tiers.length]} }`;
    return `  ${name}: { companyId: "${credentials.companyId}", labels: ${labels} }`;
  });
  return `${mark}
# It is replaced when the emulator starts again. The labels are examples.
defaults:
  baseUrl: ${url}
  key: { file: "${emulatorKeys}/{name}.key" }
  mode: correct
accounts:
${lines.join('\n')}
`;
}
