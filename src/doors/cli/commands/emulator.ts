import { problem } from '../../../core/problem/problem.ts';
import { count } from '../../../output/review/count.ts';
import { createEmulatedAccounts } from '../../../service/emulator/accounts.ts';
import type { Emulator } from '../../../service/emulator/emulator.ts';
import type { FleetState } from '../../../service/emulator/fleet-state.ts';
import { realisticLimits } from '../../../service/emulator/realistic-limits.ts';
import { type Served, serve } from '../../../service/emulator/serve.ts';
import { type AccountSource, openingAccounts, readSettings } from '../service/emulated-accounts.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

export interface EmulatorFlags extends AccountSource {
  readonly port?: number;
  /** Limit the lists as live services do. */
  readonly limits?: true;
  readonly set?: readonly string[];
}

/** Serves until it is interrupted, which is the normal way to end it and not a failure. */
export async function emulator(context: Context, flags: EmulatorFlags): Promise<ExitCode> {
  const settings = await readSettings(context, '--set', flags.set);
  if (!settings.ok) return context.fail(settings.problems);
  const fleets = await openingAccounts(context, flags);
  if (!fleets.ok) return context.fail(fleets.problems);
  const common = {
    clock: context.io.clock,
    recordRequests: false,
    ...(flags.limits === true ? { limits: realisticLimits } : {}),
    ...settings.value,
  };
  const emulated = createEmulatedAccounts(fleets.value.map((state) => ({ ...common, state })));
  if (!emulated.ok) return context.fail(emulated.problems);
  const interrupted = new Promise<void>((resolve) => {
    const off = context.io.onInterrupt(() => {
      off();
      resolve();
    });
  });
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
  printAccess(context, served.url, emulated.value.accounts, fleets.value);
  const rounded = fleets.value.flatMap(({ hosts }) => hosts).filter(({ id }) => !isSafe(id)).length;
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

function isSafe(id: string): boolean {
  return Number.isSafeInteger(Number(id));
}

function printAccess(
  context: Context,
  url: string,
  accounts: readonly Emulator[],
  fleets: readonly FleetState[],
): void {
  const sizes = fleets.map(({ hosts }) => hosts.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (context.settings.format === 'json') {
    context.printJson({
      url,
      hosts: total,
      accounts: accounts.map(({ credentials }, index) => ({
        company_id: credentials.companyId,
        psk: credentials.psk,
        login_session_id: credentials.loginSessionId,
        profile_id: credentials.profileId,
        hosts: sizes[index],
      })),
    });
    return;
  }
  const what = accounts.length === 1 ? '' : `${count(accounts.length, 'account')} and `;
  const lines = [
    `An emulated service with ${what}${count(total, 'host')} runs at ${url}`,
    '',
    `export RAMPART_BASE_URL=${url}`,
    ...accounts.flatMap(({ credentials }, index) => [
      ...(accounts.length === 1 ? [] : ['', `# account ${index + 1}: ${count(sizes[index] ?? 0, 'host')}`]),
      `export RAMPART_COMPANY_ID=${credentials.companyId}`,
      `export RAMPART_PSK=${quotedForShell(credentials.psk)}`,
      `# or use the login session RAMPART_SESSION_ID=${credentials.loginSessionId} RAMPART_PROFILE_ID=${credentials.profileId}`,
    ]),
  ];
  context.print(`${lines.join('\n')}\n`);
}

function quotedForShell(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
