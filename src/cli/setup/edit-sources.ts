import { printable } from '../../core/lib/printable.ts';
import type { Desired } from '../../core/model/desired.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { openSourceFiles } from '../../input/load-desired.ts';
import { readEdited, readOpened } from '../../input/read-edited.ts';
import {
  type EditedSource,
  editedText,
  type OpenedSources,
  patchOf,
} from '../../input/writing/edited-source.ts';
import { filesFor, loadOptions } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { replaceContent } from './replace-files.ts';

export interface OpenedState extends OpenedSources {
  readonly desired: Desired;
}

export async function openStateToEdit(
  files: readonly string[],
  context: Context,
): Promise<Result<OpenedState>> {
  const opened = await sourcesOf(files, context);
  if (!opened.ok) return opened;
  const { desired, ...sources } = opened.value;
  return desired.ok ? ok({ ...sources, desired: desired.value }, desired.problems) : desired;
}

/** The files, whether or not they have errors. */
export async function sourcesOf(
  files: readonly string[],
  context: Context,
): Promise<Result<ReturnType<typeof readOpened>>> {
  const sources = await openSourceFiles(filesFor(files, context), loadOptions(context));
  return sources.ok ? ok(readOpened(sources.value, context.io.cwd)) : sources;
}

/** Can the desired state still be read without errors after the edits? If not, nothing may be written. */
export function checkEdits(
  { io }: Context,
  { sources }: OpenedState,
  edited: readonly EditedSource[],
): Result<null> {
  const again = readEdited(sources, edited, io.cwd);
  if (again.ok) return ok(null);
  const hint = 'nothing was written: edit the files yourself';
  const failure = problem('file-not-written', 'the edited files would have errors', { hint });
  return failed(failure, ...again.problems);
}

export async function writeEdits(context: Context, edited: readonly EditedSource[]): Promise<Result<null>> {
  for (const each of edited) {
    if (each.edits.length === 0) continue;
    const written = await replaceContent(context, { file: each.source.file, text: editedText(each) });
    if (!written.ok) return written;
  }
  return ok(null);
}

/** For readers: invisible characters are shown as symbols. */
export function diffOf(edited: readonly EditedSource[]): string {
  return patchOf(edited).split('\n').map(printable).join('\n');
}
