import { createEmulator } from '../../emulator/emulator.ts';
import { realisticLimits } from '../../emulator/realistic-limits.ts';
import { serve } from '../../emulator/serve.ts';
import { problem } from '../../problem/problem.ts';
import { count } from '../../review/count.ts';
import { openingState, sampleHosts } from '../service/open-emulator.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

export interface EmulatorFlags {
  readonly seed?: string;
  readonly port?: number;
  readonly hosts?: number;
  /** Limit the lists and the making of reports as live services do. */
  readonly limits?: true;
}

/** Serves until it is interrupted, which is the way to end it and no failure. */
export async function emulator(context: Context, flags: EmulatorFlags): Promise<ExitCode> {
  const fleet = await openingState(context, { seed: flags.seed, hosts: flags.hosts ?? sampleHosts });
  if (!fleet.ok) return context.fail(fleet.problems);
  const emulated = createEmulator({
    state: fleet.value,
    clock: context.io.clock,
    recordRequests: false,
    ...(flags.limits === true ? { limits: realisticLimits } : {}),
  });
  const interrupted = new Promise<void>((resolve) => {
    const off = context.io.onInterrupt(() => {
      off();
      resolve();
    });
  });
  let served: Awaited<ReturnType<typeof serve>>;
  try {
    served = await serve(emulated, flags.port === undefined ? {} : { port: flags.port });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return context.fail([
      problem('usage', `port ${flags.port ?? 0} of 127.0.0.1 can't be served (${code})`, {
        hint: 'leave out --port for any free one',
      }),
    ]);
  }
  const { companyId, psk } = emulated.credentials;
  if (context.settings.format === 'json') {
    context.printJson({ url: served.url, company_id: companyId, psk, hosts: fleet.value.hosts.length });
  } else {
    context.print(
      `An emulated service with ${count(fleet.value.hosts.length, 'host')} is at ${served.url}\n\n`,
    );
    context.print(`export RAMPART_BASE_URL=${served.url}\n`);
    context.print(`export RAMPART_COMPANY_ID=${companyId}\n`);
    context.print(`export RAMPART_PSK=${quotedForShell(psk)}\n`);
  }
  context.tell('Ctrl-C ends it.');
  await interrupted;
  await served.close();
  return exitCodes.success;
}

function quotedForShell(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
