import { stackOf, unforeseen } from '../../accounts/engine/unforeseen.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { Telemetry } from '../../run/telemetry/telemetry.ts';
import type { Context, HeardSignals } from './context.ts';
import { version } from './version.ts';

export interface ReportedCommand {
  /** `hosts inventory pull` */
  readonly command: string;
  readonly argv: readonly string[];
  readonly telemetry: Telemetry;
  readonly signals: HeardSignals;
}

/**
 * Runs a command's code between its first and its last event, and flushes the events however the command ends:
 * normally, by a signal that it does not handle, or by a defect.
 */
export async function duringCommand(
  context: Context,
  { command, argv, telemetry, signals }: ReportedCommand,
  code: () => Promise<ExitCode>,
): Promise<ExitCode> {
  const { io, events, live } = context;
  const start = io.clock.now();
  const unlisten = events.listen(telemetry.hear);
  const unwatch = telemetry.isOn ? watchForEnd() : () => {};
  events.emit({ type: 'command_start', command, argv: argv.map(withoutUser), version: version() });
  const exitCode = await code().catch((error: unknown) => {
    reportCrash(error);
    if (io.env['RAMPART_LOG'] === 'debug') io.stderr.write(`${stackOf(error)}\n`);
    return context.fail([unforeseen(error)]);
  });
  await end(exitCode);
  return exitCode;

  async function end(exitCode: ExitCode): Promise<void> {
    unwatch();
    live.end();
    await context.exchanges.close();
    await context.state.close();
    events.emit({ type: 'command_end', exitCode, ms: io.clock.now() - start });
    await telemetry.end();
    unlisten();
  }

  function reportCrash(error: unknown): void {
    events.emit({ type: 'crash', message: unforeseen(error).message, stack: stackOf(error) });
  }

  /** Without signal handlers a command would end immediately, and lose everything that is being sent to a collector. */
  function watchForEnd(): () => void {
    const unhear = signals.outside.onInterrupt(() => {
      events.emit({ type: 'interrupted' });
      if (!signals.isHeard()) void end(exitCodes.interrupted).then(() => io.exitNow(exitCodes.interrupted));
    });
    const uncrash = io.onCrash(reportCrash);
    return () => {
      unhear();
      uncrash();
    };
  }
}

/** An address without the user name and password that it may contain. */
function withoutUser(word: string): string {
  return word.replace(/(\w:\/\/)[^/@\s]*@/g, '$1');
}
