import { printSnapshot } from '../../model/snapshot.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { writeWhole } from '../files.ts';
import { withConnection } from '../read-fleet.ts';

export interface SnapshotFlags {
  readonly out?: string;
}

export async function snapshot(context: Context, { out }: SnapshotFlags): Promise<ExitCode> {
  const taken = await withConnection(context, async ({ account, reader }) => {
    const read = await reader.read({ antivirus: true });
    return read.ok ? { ...read, value: printSnapshot({ account, observed: read.value }) } : read;
  });
  if (!taken.ok) return context.fail(taken.problems);
  context.report(taken.problems);
  if (out === undefined) {
    context.print(taken.value);
    return exitCodes.success;
  }
  const written = await writeWhole(context.path(out), out, taken.value);
  if (!written.ok) return context.fail(written.problems);
  context.tell(`The snapshot is in ${out}: rampart plan --observed ${out}`);
  return exitCodes.success;
}
