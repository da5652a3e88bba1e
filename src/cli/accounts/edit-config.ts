import { type Document, isMap, parseDocument, stringify } from 'yaml';
import { configFileName } from '../../accounts/config/config-folder.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { isThere, type NewFile, replaceContent, writeNewFiles } from '../setup/replace-files.ts';
import type { Context } from '../shell/context.ts';
import { readTextFile } from '../shell/files.ts';

/** The settings of a new account, as the file will hold them. */
export interface NewAccount {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** rampart.config.yaml with more accounts. Comments and the other entries stay. */
export async function withAccounts(
  context: Context,
  accounts: readonly NewAccount[],
): Promise<Result<NewFile>> {
  const path = context.path(configFileName);
  const text = (await isThere(path)) ? await readTextFile(path, configFileName) : ok('accounts: {}\n');
  if (!text.ok) return text;
  const document: Document = parseDocument(text.value);
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents))) {
    return failed(problem('configuration', `${configFileName} is not a YAML mapping`));
  }
  for (const { name, settings } of accounts)
    document.setIn(['accounts', name], document.createNode(settings));
  const list = document.getIn(['accounts']);
  if (isMap(list)) list.flow = false;
  return ok({ file: configFileName, text: document.toString({ lineWidth: 0, flowCollectionPadding: true }) });
}

/** The text of a file with one account. */
export function accountFileText({ settings }: NewAccount): string {
  return stringify(settings, { lineWidth: 0 });
}

/** Checks that the configuration with this file is valid and has the new accounts. Writes nothing. */
export async function checkEdited(
  { io }: Context,
  edited: NewFile,
  names: readonly string[],
): Promise<Result<null>> {
  const bytes = new TextEncoder().encode(edited.text);
  const file = await readAccounts({
    folder: io.cwd,
    env: {},
    edited: { path: edited.file, bytes },
  });
  if (!file.ok) return file;
  const known = new Set(file.value.accounts.map(({ name }) => name));
  const lost = names.filter((name) => !known.has(name));
  if (lost.length === 0) return ok(null);
  return failed(
    problem('configuration', `${edited.file} is not part of the configuration`, {
      hint: `add a pattern that matches it to "include" of ${configFileName}`,
    }),
  );
}

export async function writeEdited(context: Context, edited: NewFile): Promise<Result<null>> {
  return (await isThere(context.path(edited.file)))
    ? replaceContent(context, edited)
    : writeNewFiles(context, [edited], false);
}
