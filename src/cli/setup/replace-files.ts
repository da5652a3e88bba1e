import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, reasonOf } from '../../core/lib/error-code.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { makeFolder, replaceFile } from '../../run/state/files/replace-file.ts';
import { isThere } from '../../run/state/files/run-files.ts';
import type { Context } from '../shell/context.ts';

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
    const isOld = force && (await isThere(context.path(each.file)));
    const written = await (isOld ? replaceContent : createFile)(context, each);
    if (!written.ok) return written;
  }
  return ok(null);
}

async function createFile(context: Context, { file, text }: NewFile): Promise<Result<null>> {
  const path = context.path(file);
  try {
    makeFolder(dirname(path));
    await writeFile(path, text, { flag: 'wx' });
    return ok(null);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined);
    return failed(notWritten(file, error));
  }
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

/** Replaces the content of an existing file: links are followed, and its mode is kept. */
export async function replaceContent(
  context: Context,
  { file, text, before }: NewFile,
): Promise<Result<null>> {
  try {
    const path = await realpath(context.path(file));
    const { mode } = await stat(path);
    if (before !== undefined && (await readFile(path, 'utf8')) !== before)
      return failed(problem('file-not-written', `${file} has changed since Rampart read it`));
    await replaceFile(path, text, { mode });
    return ok(null);
  } catch (error) {
    return failed(notWritten(file, error));
  }
}

function notWritten(file: string, error: unknown): Problem {
  return problem('file-not-written', `${file} can't be written (${reasonOf(error)})`);
}
