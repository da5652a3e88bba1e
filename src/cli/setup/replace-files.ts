import { readFile, realpath, stat } from 'node:fs/promises';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { isThere } from '../../run/state/files/run-files.ts';
import { type Context, writeWhole } from '../shell/context.ts';

/** A file to write: its path as the user knows it, and its content. */
export interface NewFile {
  readonly file: string;
  readonly text: string;
  /** The content that was edited. If the file has other content by now, it is not replaced. */
  readonly before?: string;
}

/** Writes all of the files, or none if one of them already exists; `force` replaces existing files. */
export async function writeNewFiles(
  context: Context,
  files: readonly NewFile[],
  force: boolean,
): Promise<Result<null>> {
  const there = force ? [] : await existing(context, files);
  if (there.length > 0) return failed(...there);
  for (const each of files) {
    const path = context.path(each.file);
    const written =
      force && (await isThere(path))
        ? await replaceContent(context, each)
        : await writeWhole(path, each.file, each.text, { makesFolder: true });
    if (!written.ok) return written;
  }
  return ok(null);
}

async function existing(context: Context, files: readonly NewFile[]): Promise<readonly Problem[]> {
  const problems: Problem[] = [];
  for (const { file } of files) {
    if (!(await isThere(context.path(file)))) continue;
    problems.push(
      problem('usage', `${file} already exists`, {
        hint: 'choose another name, or overwrite it with --force',
      }),
    );
  }
  return problems;
}

/** Replaces the content of an existing file: links are followed, and its mode is kept, as is its owner if possible. */
export async function replaceContent(
  context: Context,
  { file, text, before }: NewFile,
): Promise<Result<null>> {
  const path = await realpath(context.path(file)).catch(() => context.path(file));
  const stats = await stat(path).catch(() => undefined);
  if (before !== undefined && (await readFile(path, 'utf8').catch(() => undefined)) !== before)
    return failed(problem('file-not-written', `${file} has changed since Rampart read it`));
  return writeWhole(path, file, text, stats === undefined ? {} : { mode: stats.mode, owner: stats });
}
