import { quoted } from '../../core/lib/words.ts';
import type { Desired } from '../../core/model/desired.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { readEdited } from '../../input/load-desired.ts';
import type { Source } from '../../input/sources/decode-source.ts';
import { type EditedSource, editableText, isEditable, patchOf } from '../../input/writing/edited-source.ts';
import type { ProposedEdit } from '../../mcp/fleet-questions.ts';
import { sourcesOf } from '../setup/edit-sources.ts';
import type { Context } from '../shell/context.ts';

export interface ProposedState {
  readonly desired: Desired;
  /** What `git apply -p0 --unidiff-zero` takes. */
  readonly patch: string;
  readonly edited: readonly EditedSource[];
}

/** The desired state after edits of its files, which are left unchanged. */
export async function proposedState(
  context: Context,
  files: readonly string[],
  edits: readonly ProposedEdit[],
): Promise<Result<ProposedState>> {
  const opened = await sourcesOf(files, context);
  if (!opened.ok) return opened;
  const { sources, tables } = opened.value;
  const edited: EditedSource[] = [];
  for (const [file, own] of Map.groupBy(edits, (edit) => edit.file)) {
    const source = [...sources, ...tables].find((each) => each.file === file);
    if (source === undefined) return failed(noFile(file));
    const made = editSource(source, own);
    if (!made.ok) return made;
    edited.push(made.value);
  }
  const desired = readEdited(opened.value, edited, context.io.cwd);
  return desired.ok
    ? ok({ desired: desired.value, patch: patchOf(edited), edited }, desired.problems)
    : desired;
}

function editSource(source: Source, edits: readonly ProposedEdit[]): Result<EditedSource> {
  if (!isEditable(source)) return failed(isProgram(source.file));
  const text = editableText(source);
  const found = edits.map(({ old_text: old, new_text: by }) => ({
    start: text.indexOf(old),
    end: text.indexOf(old) + old.length,
    text: by,
    isOnce: text.includes(old) && text.indexOf(old) === text.lastIndexOf(old),
  }));
  const inOrder = found.toSorted((a, b) => a.start - b.start);
  const areApart = inOrder.every(({ start }, at) => start >= (inOrder[at - 1]?.end ?? 0));
  if (!found.every(({ isOnce }) => isOnce) || !areApart) return failed(notOnce(source.file));
  return ok({ source, edits: inOrder.map(({ start, end, text: by }) => ({ start, end, text: by })) });
}

function noFile(file: string) {
  return problem('file-missing', `${quoted(file)} is not a file of the desired state`, {
    hint: 'show_files lists the files',
  });
}

function isProgram(file: string) {
  return problem('usage', `${file} is a program, and a proposal edits only YAML and tables`, {
    place: { file, line: 1, col: 1 },
    hint: 'ask a person to edit it',
  });
}

function notOnce(file: string) {
  return problem('usage', `"old_text" must occur exactly once in ${file}, and edits must not overlap`, {
    place: { file, line: 1, col: 1 },
    hint: 'read the file with show_files, and include enough of the lines around the edit',
  });
}
