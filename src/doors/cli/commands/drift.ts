import { type ExitCode, exitCodeOf, exitCodes } from '../../../control/engine/exit-code.ts';
import { toDocument } from '../../../core/plan/document/document-names.ts';
import { type DriftReport, isDrift } from '../../../core/plan/drift/drift.ts';
import { paintDrift } from '../../../output/review/drift-text.ts';
import { type DriftSources, readDrift } from '../planning/read-drift.ts';
import type { Context } from '../shell/context.ts';

export interface DriftFlags extends DriftSources {
  readonly detailedExitcode?: true;
}

const driftFormatVersion = '2.0';

/** Separates changes in the fleet from changes in the file. Sends only GET requests. */
export async function drift(context: Context, flags: DriftFlags): Promise<ExitCode> {
  const found = await readDrift(context, flags);
  if (!found.ok) return context.fail(found.problems);
  const { report } = found.value;
  print(report, context);
  context.report(report.problems);
  return exitFor(report, flags);
}

function print(report: DriftReport, context: Context): void {
  const { settings, io } = context;
  if (settings.format === 'json') {
    context.printJson({ format_version: driftFormatVersion, ...(toDocument(report) as object) });
  } else context.print(paintDrift(report, { colour: settings.outColour, columns: io.stdout.columns }));
}

/** A pending change is not drift, because the next apply makes it; nor is an install that the service accepted. */
function exitFor(
  { differences, unmanaged, problems }: DriftReport,
  { detailedExitcode }: DriftFlags,
): ExitCode {
  const code = exitCodeOf(problems);
  if (code !== exitCodes.success) return code;
  const drifted = differences.some(isDrift);
  return detailedExitcode === true && (drifted || unmanaged.length > 0)
    ? exitCodes.changes
    : exitCodes.success;
}
