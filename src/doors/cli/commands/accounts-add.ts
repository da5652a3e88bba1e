import { isAccountName } from '../../../control/accounts/account-name.ts';
import { isLabelName, labelNameWords } from '../../../control/accounts/label-name.ts';
import { readAccounts } from '../../../control/accounts/read-accounts.ts';
import { isPskVariable } from '../../../control/accounts/read-key-source.ts';
import { type ExitCode, exitCodes } from '../../../control/engine/exit-code.ts';
import { isInt64 } from '../../../core/lib/int64.ts';
import { nearest } from '../../../core/lib/nearest.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { type Row, splitCsv } from '../../../input/csv/split-csv.ts';
import { decodeSource } from '../../../input/sources/decode-source.ts';
import { count } from '../../../output/review/count.ts';
import {
  accountFileText,
  checkEdited,
  type NewAccount,
  withAccounts,
  writeEdited,
} from '../accounts/edit-config.ts';
import type { Context } from '../shell/context.ts';
import { readText } from '../shell/files.ts';

export interface AddFlags {
  readonly companyId: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly keyFile?: string;
  readonly label?: readonly string[];
  readonly desired?: readonly string[];
  readonly to?: string;
  readonly dryRun?: true;
}

/** Adds one account, if the whole configuration is valid with it. */
export async function addAccount(context: Context, name: string, flags: AddFlags): Promise<ExitCode> {
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
  if (!edited.ok) return context.fail(edited.problems);
  const checked = await checkEdited(context, edited.value, [name]);
  if (!checked.ok) return context.fail(checked.problems);
  const written = flags.dryRun === true ? ok(null) : await writeEdited(context, edited.value);
  if (!written.ok) return context.fail(written.problems);
  report(context, [name], edited.value.file, flags.dryRun === true);
  return exitCodes.success;
}

function toPair(text: string): readonly [string, string] {
  const sign = text.indexOf('=');
  return [text.slice(0, sign), text.slice(sign + 1)];
}

interface AccountParts {
  readonly companyId: string;
  readonly baseUrl?: string;
  readonly keyVariable?: string;
  readonly keyFile?: string;
  readonly labels: Readonly<Record<string, string>>;
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

function report(context: Context, names: readonly string[], file: string, isDry: boolean): void {
  if (context.settings.format === 'json') {
    context.printJson({ format_version: '1.0', file, added: names, written: !isDry });
  } else {
    const verb = isDry ? 'Would add' : 'Added';
    context.print(`${verb} ${count(names.length, 'account')} to ${file}: ${names.join(', ')}\n`);
  }
}

export interface ImportAccountsFlags {
  readonly dryRun?: true;
}

/** Adds an account for each row, or none if one row has a mistake. */
export async function importAccounts(
  context: Context,
  file: string,
  { dryRun }: ImportAccountsFlags,
): Promise<ExitCode> {
  const existing = await readAccounts({ folder: context.io.cwd, env: {} });
  if (!existing.ok) return context.fail(existing.problems);
  const text = await readText(context.path(file), file);
  const rows = text.ok ? readRows(file, text.value) : text;
  if (!rows.ok) return context.fail(rows.problems);
  const taken = new Map(existing.value.accounts.map(({ name }) => [name.toLowerCase(), 'the configuration']));
  const conflicts = rows.value.flatMap(({ name, where }) => {
    const first = taken.get(name.toLowerCase());
    taken.set(name.toLowerCase(), where);
    return first === undefined
      ? []
      : [problem('duplicate-name', `${where}: the account "${name}" already exists in ${first}`)];
  });
  if (conflicts.length > 0) return context.fail(conflicts);
  const names = rows.value.map(({ name }) => name);
  const edited = await withAccounts(context, rows.value);
  const checked = edited.ok ? await checkEdited(context, edited.value, names) : edited;
  if (!edited.ok || !checked.ok) return context.fail(checked.problems);
  const written = dryRun === true ? ok(null) : await writeEdited(context, edited.value);
  if (!written.ok) return context.fail(written.problems);
  report(context, names, edited.value.file, dryRun === true);
  return exitCodes.success;
}

interface ImportedAccount extends NewAccount {
  /** `accounts.csv row 7` */
  readonly where: string;
}

const columnNames = ['name', 'companyId', 'baseUrl', 'keyVariable', 'keyFile'];

function readRows(file: string, text: string): Result<readonly ImportedAccount[]> {
  const source = decodeSource({ file, text }, 'csv');
  const rows = source.ok ? splitCsv(source.value) : source;
  if (!rows.ok) return rows;
  const [head, ...body] = rows.value;
  const header = head?.cells.map((cell) => cell.text) ?? [];
  const problems = checkHeader(file, header);
  if (problems.length > 0) return failed(...problems);
  const read = body.map((row) => readRow(`${file} row ${row.number}`, header, row));
  const wrong = read.flatMap((each) => (each.ok ? [] : each.problems));
  return wrong.length > 0 ? failed(...wrong) : ok(read.flatMap((each) => (each.ok ? [each.value] : [])));
}

function checkHeader(file: string, header: readonly string[]): readonly Problem[] {
  const unknown = header.filter((each) => !columnNames.includes(each) && !isLabelColumn(each));
  const missing = ['name', 'companyId'].filter((each) => !header.includes(each));
  return [
    ...unknown.map((each) => {
      const [near] = nearest(each, columnNames);
      return problem('unknown-key', `${file} row 1: unknown column "${each.slice(0, 40)}"`, {
        hint:
          near === undefined
            ? `the columns are ${columnNames.join(', ')} and label:NAME; ${labelNameWords}`
            : `did you mean "${near}"?`,
      });
    }),
    ...missing.map((each) => problem('missing-key', `${file} row 1: the column "${each}" is missing`)),
  ];
}

function isLabelColumn(text: string): boolean {
  return text.startsWith('label:') && isLabelName(text.slice('label:'.length));
}

function readRow(where: string, header: readonly string[], { cells }: Row): Result<ImportedAccount> {
  const values = new Map(
    header.flatMap((column, index) => {
      const text = cells[index]?.text ?? '';
      return text === '' ? [] : [[column, text] as const];
    }),
  );
  const name = values.get('name') ?? '';
  const companyId = values.get('companyId') ?? '';
  const keyVariable = values.get('keyVariable');
  const flaws = [
    isAccountName(name) ? '' : 'the name of the account is not valid',
    isInt64(companyId) ? '' : 'companyId must be an integer',
    keyVariable === undefined || isPskVariable(keyVariable)
      ? ''
      : 'keyVariable must be RAMPART_PSK, or a name that ends with _PSK',
    keyVariable !== undefined && values.has('keyFile') ? 'keyVariable and keyFile are both set' : '',
    cells.length > header.length ? 'there are more cells than columns' : '',
  ].filter((each) => each !== '');
  if (flaws.length > 0) return failed(...flaws.map((flaw) => problem('invalid-value', `${where}: ${flaw}`)));
  const labels = Object.fromEntries(
    [...values].flatMap(([column, text]) => (column.startsWith('label:') ? [[column.slice(6), text]] : [])),
  ) as Readonly<Record<string, string>>;
  const baseUrl = values.get('baseUrl');
  const keyFile = values.get('keyFile');
  return ok({
    ...newAccount(name, {
      companyId,
      labels,
      files: [],
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(keyVariable === undefined ? {} : { keyVariable }),
      ...(keyFile === undefined ? {} : { keyFile }),
    }),
    where,
  });
}
