import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../core/lib/error-code.ts';
import { count } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { makeFolder } from '../../run/state/files/replace-file.ts';
import { allowedOriginsVariable } from '../../service/client/pinned-origins.ts';
import { createEmulatedAccounts } from '../../service/emulator/accounts.ts';
import type { EmulatorCredentials } from '../../service/emulator/credentials.ts';
import { realisticLimits } from '../../service/emulator/realistic-limits.ts';
import { type Served, serve } from '../../service/emulator/serve.ts';
import { printResult } from '../listing/print-listing.ts';
import { type AccountSource, type OpeningAccount, openingAccounts } from '../service/emulated-accounts.ts';
import { readSettingsOf } from '../service/emulator-settings.ts';
import { type Context, untilInterrupted, writeWhole } from '../shell/context.ts';

export interface EmulatorFlags extends AccountSource {
  readonly port?: number;
  /** Limit the lists as live services do. */
  readonly limits?: true;
  readonly set?: readonly string[];
  /** The file for a configuration with the served accounts. */
  readonly writeConfig?: string;
}

/** Serves until it is interrupted, which is the normal way to end it and not a failure. */
export async function emulator(context: Context, flags: EmulatorFlags): Promise<ExitCode> {
  const opening = await openingAccounts(context, flags);
  if (!opening.ok) return context.fail(opening.problems);
  const names = opening.value.map(({ name }) => name);
  const settings = await readSettingsOf(context, '--set', flags.set ?? [], names);
  if (!settings.ok) return context.fail(settings.problems);
  const common = {
    clock: context.io.clock,
    recordRequests: false,
    ...(flags.limits === true ? { limits: realisticLimits } : {}),
  };
  const emulated = createEmulatedAccounts(
    opening.value.map(({ name, state }) => ({ ...common, ...settings.value.get(name), state })),
  );
  if (!emulated.ok) return context.fail(emulated.problems);
  const interrupted = untilInterrupted(context);
  let served: Served;
  try {
    served = await serve(emulated.value, flags.port === undefined ? {} : { port: flags.port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return context.fail([
      problem('usage', `port ${flags.port ?? 0} of 127.0.0.1 can't be opened (${code})`, {
        hint: 'remove --port to use any free port',
      }),
    ]);
  }
  const accounts = opening.value.map((each, index) => ({
    ...each,
    credentials: emulated.value.credentials[index] as EmulatorCredentials,
  }));
  if (flags.writeConfig !== undefined) {
    const written = await writeEmulatorConfig(context, flags.writeConfig, served.url, accounts);
    if (!written.ok) {
      await served.close();
      return context.fail(written.problems);
    }
  }
  printAccess(context, served.url, accounts, flags.writeConfig);
  const rounded = opening.value.reduce((sum, each) => sum + each.rounded, 0);
  if (rounded > 0) {
    context.log(
      `${count(rounded, 'host id')} above 2^53: programs that read JSON numbers as doubles, such as JavaScript, round them.`,
    );
  }
  context.log('Press Ctrl-C to stop it.');
  await interrupted;
  await served.close();
  return exitCodes.success;
}

function printAccess(
  context: Context,
  url: string,
  accounts: readonly ServedAccount[],
  config: string | undefined,
): void {
  const total = accounts.reduce((sum, { hosts }) => sum + hosts, 0);
  const document = {
    url,
    hosts: total,
    accounts: accounts.map(({ name, credentials, hosts }) => ({
      name,
      company_id: credentials.companyId,
      psk: credentials.psk,
      login_session_id: credentials.loginSessionId,
      profile_id: credentials.profileId,
      hosts,
    })),
  };
  const what = accounts.length === 1 ? '' : `${count(accounts.length, 'account')} and `;
  const lines = [
    `An emulated service with ${what}${count(total, 'host')} runs at ${url}`,
    '',
    ...(config === undefined ? exportsOf(url, accounts) : configWords(url, config)),
  ];
  printResult(context, document, `${lines.join('\n')}\n`);
}

function configWords(url: string, config: string): readonly string[] {
  return [
    `${config} lists the accounts, and the folder ${emulatorKeys} next to it has their keys. Allow Rampart to send them here:`,
    '',
    `export ${allowedOriginsVariable}=${url}`,
  ];
}

function exportsOf(url: string, accounts: readonly ServedAccount[]): readonly string[] {
  return [
    `export RAMPART_BASE_URL=${url}`,
    ...accounts.flatMap(({ name, credentials, hosts }) => [
      ...(accounts.length === 1 ? [] : ['', `# ${name}: ${count(hosts, 'host')}`]),
      `export RAMPART_COMPANY_ID=${credentials.companyId}`,
      `export RAMPART_PSK=${quotedForShell(credentials.psk)}`,
      `# or use the login session RAMPART_SESSION_ID=${credentials.loginSessionId} RAMPART_PROFILE_ID=${credentials.profileId}`,
    ]),
  ];
}

function quotedForShell(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

interface ServedAccount extends OpeningAccount {
  readonly credentials: EmulatorCredentials;
}

/** The folder of the key files, next to the configuration. */
const emulatorKeys = 'keys';

const mark = '# Written by: rampart emulator --write-config';
const regions = ['eu', 'us', 'apac'] as const;
const tiers = ['gold', 'silver', 'silver', 'bronze', 'bronze'] as const;

/**
 * Writes a configuration of the served accounts, with made-up labels, and a key file for each account. Replaces only files
 * that it wrote itself. The configuration never contains a key.
 */
async function writeEmulatorConfig(
  context: Context,
  file: string,
  url: string,
  accounts: readonly ServedAccount[],
): Promise<Result<null>> {
  const keys = join(dirname(file), emulatorKeys);
  const files = [
    ...accounts.map(({ name, credentials: { psk } }) => ({
      file: join(keys, `${name}.key`),
      text: `${psk}\n`,
    })),
    { file, text: configText(url, accounts) },
  ];
  for (const { file: each } of files) {
    const before = await readFile(context.path(each), 'utf8').catch((error: unknown) =>
      codeOf(error) === 'ENOENT' ? mark : '',
    );
    if (before.startsWith(mark) || before.startsWith('rampart-emulator-key')) continue;
    return failed(
      problem('usage', `${each} exists, and is not from "rampart emulator": it was not replaced`, {
        hint: 'choose another folder or name, or move the file away',
      }),
    );
  }
  makeFolder(context.path(keys), 0o700);
  for (const { file: each, text } of files) {
    const access = each === file ? {} : { mode: 0o600 };
    const written = await writeWhole(context.path(each), each, text, access);
    if (!written.ok) return written;
  }
  return ok(null);
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
