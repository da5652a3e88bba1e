import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { isListedBy } from '../../accounts/config/touched-accounts.ts';
import { printable } from '../../core/lib/printable.ts';
import type { Desired } from '../../core/model/desired.ts';
import { failed, hasErrors, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { openSourceFiles, readEdited, readOpened, registersOf } from '../../input/load-desired.ts';
import {
  type EditedSource,
  editedText,
  type OpenedSources,
  patchOf,
  wholeText,
} from '../../input/writing/edited-source.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { filesFor, loadOptions } from '../planning/read-desired-state.ts';
import type { Context } from '../shell/context.ts';
import { replaceContent } from './replace-files.ts';

export interface OpenedState extends OpenedSources {
  readonly desired: Desired;
  /** Whether a file has no other account, in which the hosts of this one would be missing. Absent without an account. */
  readonly mayAddTo?: (file: string) => boolean;
}

export async function openStateToEdit(
  files: readonly string[],
  context: Context,
): Promise<Result<OpenedState>> {
  const opened = await sourcesOf(files, context);
  if (!opened.ok) return opened;
  const { desired, ...sources } = opened.value;
  if (!desired.ok) return desired;
  const state = { ...sources, desired: desired.value };
  const { account, io } = context;
  const all = account === undefined ? undefined : await readAccounts({ folder: io.cwd, env: io.env });
  if (all?.ok !== true) return ok(state, desired.problems);
  const others = all.value.accounts.filter(({ name }) => name !== account?.name);
  return ok({ ...state, mayAddTo: (file) => !isListedBy(others, file) }, desired.problems);
}

/** The files, whether or not they have errors. */
export async function sourcesOf(
  files: readonly string[],
  context: Context,
): Promise<Result<ReturnType<typeof readOpened>>> {
  const options = loadOptions(context);
  const sources = await openSourceFiles(filesFor(files, context), options);
  if (!sources.ok) return sources;
  return ok(readOpened(sources.value, options.cwd, await registersOf(sources.value, options)));
}

export interface EditsToSave {
  readonly edited: readonly EditedSource[];
  /** Only shows what would be written, as a patch. */
  readonly dryRun: boolean;
  /** What was written: as JSON if the command prints it, and as text. */
  readonly document?: () => unknown;
  readonly text: () => string;
}

/** Writes edits of the desired state, if it is valid with them, and prints what was or would be written. */
export async function saveEdits(
  context: Context,
  state: OpenedState,
  { edited, dryRun, document, text }: EditsToSave,
): Promise<Result<null>> {
  const checked = checkEdits(context, state, edited);
  if (!checked.ok) return checked;
  const written = dryRun ? ok(null) : await writeEdits(context, edited);
  if (!written.ok) return written;
  if (context.settings.format === 'json' && document !== undefined) context.printJson(document());
  else context.print(dryRun ? diffOf(edited) : text());
  return written;
}

/** The exit code of a command that has done what it can, and reports the rest. */
export function endWith(context: Context, problems: readonly Problem[]): ExitCode {
  if (hasErrors(problems)) return context.fail(problems);
  context.report(problems);
  return exitCodes.success;
}

/** Can the desired state still be read without errors after the edits? If not, nothing may be written. */
function checkEdits({ io }: Context, state: OpenedState, edited: readonly EditedSource[]): Result<null> {
  const again = readEdited(state, edited, io.cwd);
  if (again.ok) return ok(null);
  const hint = 'nothing was written: edit the files yourself';
  const failure = problem('file-not-written', 'the edited files would have errors', { hint });
  return failed(failure, ...again.problems);
}

async function writeEdits(context: Context, edited: readonly EditedSource[]): Promise<Result<null>> {
  for (const each of edited) {
    if (each.edits.length === 0) continue;
    const { file } = each.source;
    const edit = { file, text: editedText(each), before: wholeText(each.source) };
    const written = await replaceContent(context, edit);
    if (!written.ok) return written;
  }
  return ok(null);
}

/** For readers: invisible characters are shown as symbols. */
export function diffOf(edited: readonly EditedSource[]): string {
  return patchOf(edited).split('\n').map(printable).join('\n');
}
