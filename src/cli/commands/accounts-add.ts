import { stringify } from 'yaml';
import { configFileName } from '../../accounts/config/config-folder.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { count } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type MappingNode, sourceText } from '../../input/sources/source-text.ts';
import {
  columnAt,
  endOfContent,
  insertion,
  isFlow,
  itemsAfter,
  linesAfter,
} from '../../input/writing/add-hosts.ts';
import { editableText, editedText } from '../../input/writing/edited-source.ts';
import type { TextEdit } from '../../input/writing/text-edit.ts';
import { parseYaml } from '../../input/yaml/parse-yaml.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { isThere } from '../../run/state/files/run-files.ts';
import { type AccountsTableRow, readAccountsTable } from '../accounts/read-accounts-table.ts';
import { printResult } from '../listing/print-listing.ts';
import { type NewFile, replaceContent, writeNewFiles } from '../setup/replace-files.ts';
import { type Context, readTextFile } from '../shell/context.ts';

export interface ImportAccountsFlags {
  readonly dryRun?: true;
}

export interface AddFlags extends ImportAccountsFlags {
  readonly companyId: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly keyFile?: string;
  readonly label?: readonly string[];
  readonly desired?: readonly string[];
  readonly to?: string;
}

/** Adds one account, if the whole configuration is valid with it. */
export async function addAccount(context: Context, flags: AddFlags, name: string): Promise<ExitCode> {
  const labels = Object.fromEntries((flags.label ?? []).map(toPair));
  const account = newAccount(name, { ...flags, labels, files: flags.desired ?? [] });
  const existing = await readAccounts({ folder: context.io.cwd, env: {} });
  if (!existing.ok) return context.fail(existing.problems);
  if (existing.value.accounts.some((each) => each.name === name)) {
    return context.fail([
      problem('duplicate-name', `the account "${name}" already exists`, { hint: 'choose another name' }),
    ]);
  }
  const { to } = flags;
  const edited =
    to === undefined
      ? await withAccounts(context, [account])
      : ok({ file: to, text: accountFileText(account) });
  return writeEdited(context, edited, [name], flags);
}

function toPair(text: string): readonly [string, string] {
  const sign = text.indexOf('=');
  return [text.slice(0, sign), text.slice(sign + 1)];
}

interface AccountParts extends Omit<AccountsTableRow, 'name' | 'row' | 'place'> {
  readonly files: readonly string[];
}

function newAccount(
  name: string,
  { companyId, baseUrl, keyVariable, keyFile, labels, files }: AccountParts,
): NewAccount {
  return {
    name,
    settings: {
      companyId,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(keyVariable === undefined ? {} : { key: { variable: keyVariable } }),
      ...(keyFile === undefined ? {} : { key: { file: keyFile } }),
      ...(files.length === 0 ? {} : { files }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
    },
  };
}

/** Adds an account for each row, or none if one row has a mistake. */
export async function importAccounts(
  context: Context,
  flags: ImportAccountsFlags,
  file: string,
): Promise<ExitCode> {
  const existing = await readAccounts({ folder: context.io.cwd, env: {} });
  if (!existing.ok) return context.fail(existing.problems);
  const text = await readTextFile(context.path(file), file);
  const rows = text.ok ? readAccountsTable(file, text.value) : text;
  if (!rows.ok) return context.fail(rows.problems);
  const taken = new Map(existing.value.accounts.map(({ name }) => [name.toLowerCase(), 'the configuration']));
  const conflicts = rows.value.flatMap(({ name, row, place }) => {
    const first = taken.get(name.toLowerCase());
    taken.set(name.toLowerCase(), `row ${row}`);
    return first === undefined
      ? []
      : [problem('duplicate-name', `the account "${name}" already exists in ${first}`, { place })];
  });
  if (conflicts.length > 0) return context.fail(conflicts);
  const names = rows.value.map(({ name }) => name);
  const accounts = rows.value.map((row) => newAccount(row.name, { ...row, files: [] }));
  return writeEdited(context, await withAccounts(context, accounts), names, flags);
}

/** The settings of a new account, as the file will hold them. */
interface NewAccount {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** rampart.config.yaml with more accounts. Everything else in it stays unchanged. */
async function withAccounts(context: Context, accounts: readonly NewAccount[]): Promise<Result<NewFile>> {
  const path = context.path(configFileName);
  const file = (await isThere(path)) ? await readTextFile(path, configFileName) : ok('accounts: {}\n');
  if (!file.ok) return file;
  const source = { file: configFileName, text: file.value };
  const text = editableText(source);
  const tree = parseYaml(sourceText(configFileName, text));
  if (!tree.ok) return tree;
  const root = tree.value as MappingNode;
  const added = Object.fromEntries(accounts.map(({ name, settings }) => [name, settings]));
  const list = root.members.find(({ key }) => key.text === 'accounts')?.value as MappingNode | undefined;
  const edits =
    list?.members.length === 0 && !isFlow(text, root)
      ? [
          { start: text.slice(0, list.start).trimEnd().length, end: list.end, text: '' },
          linesAfter(text, list.end, linesOf(added, columnAt(text, root.start) + 2)),
        ]
      : [membersAdded(text, list ?? root, list === undefined ? { accounts: added } : added)];
  return ok({ file: configFileName, text: editedText({ source, edits }), before: file.value });
}

function membersAdded(text: string, mapping: MappingNode, added: object): TextEdit {
  if (!isFlow(text, mapping)) return itemsAfter(text, mapping, linesOf(added, columnAt(text, mapping.start)));
  const last = mapping.members.at(-1);
  const end = last === undefined ? mapping.start + 1 : endOfContent(text, last.value);
  return insertion(end, `${last === undefined ? '' : ', '}${JSON.stringify(added).slice(1, -1)}`);
}

function linesOf(added: object, indent: number): readonly string[] {
  const lines = stringify(added, { lineWidth: 0 }).trimEnd().split('\n');
  return lines.map((line) => `${' '.repeat(indent)}${line}`);
}

/** The text of a file with one account. */
function accountFileText({ settings }: NewAccount): string {
  return stringify(settings, { lineWidth: 0 });
}

/** Checks that the configuration with this file is valid and has the new accounts. Writes nothing. */
async function checkEdited(
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

/** Writes what adds these accounts, if the configuration is valid with it, and reports it. */
async function writeEdited(
  context: Context,
  edited: Result<NewFile>,
  names: readonly string[],
  { dryRun: isDry }: ImportAccountsFlags,
): Promise<ExitCode> {
  const checked = edited.ok ? await checkEdited(context, edited.value, names) : edited;
  if (!edited.ok || !checked.ok) return context.fail(checked.problems);
  const { file } = edited.value;
  if (isDry !== true) {
    const written = (await isThere(context.path(file)))
      ? await replaceContent(context, edited.value)
      : await writeNewFiles(context, [edited.value], false);
    if (!written.ok) return context.fail(written.problems);
  }
  const document = { format_version: '1.0', file, added: names, written: isDry !== true };
  const added = `${isDry === true ? 'Would add' : 'Added'} ${count(names.length, 'account')} to ${file}`;
  return printResult(context, document, `${added}: ${names.join(', ')}\n`);
}
