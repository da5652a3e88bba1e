import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonText, printable } from '../../core/lib/printable.ts';
import { firstFew } from '../../core/lib/words.ts';
import type { GroupId, Observed } from '../../core/model/observed.ts';
import { allOf, ok, problem, type Result } from '../../core/problem/problem.ts';
import { draftFleet } from '../../input/writing/draft-fleet.ts';
import { type FleetDraft, printYaml } from '../../input/writing/fleet-draft.ts';
import { createFileNames } from '../../input/writing/group-file-names.ts';
import { printCdktf } from '../../input/writing/print-cdktf.ts';
import { printCsv } from '../../input/writing/print-csv.ts';
import { printHcl } from '../../input/writing/print-hcl.ts';
import { toJsonState } from '../../input/writing/print-json.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { findGroup } from '../listing/find-group.ts';
import { draftWords, printLeftOutNames } from '../setup/draft-words.ts';
import { readLiveOrSaved } from '../setup/live-or-saved.ts';
import { type NewFile, writeNewFiles } from '../setup/replace-files.ts';
import { findSchema } from '../setup/schema-path.ts';
import { accountWords, type Context } from '../shell/context.ts';
import type { Format } from '../shell/settings.ts';

export interface ImportFlags {
  /** A file or a folder; stdout if absent. */
  readonly out?: string;
  /** A snapshot to import, with no credentials. */
  readonly observed?: string;
  /** Names or ids of groups; all if absent. */
  readonly group?: readonly string[];
  readonly byGroup?: true;
  readonly antivirus?: true;
  readonly schema?: string;
  readonly force?: true;
  /** Leaves CSV cells unchanged that spreadsheets read as formulas. */
  readonly raw?: true;
}

/** Writes the live fleet as a desired state whose plan is empty. Only reads from the service. */
export async function importFleetCommand(context: Context, flags: ImportFlags): Promise<ExitCode> {
  const { out } = flags;
  if (flags.byGroup === true && out === undefined) {
    return context.fail([
      problem('usage', '--by-group writes several files and needs a folder', { hint: 'add --out fleet/' }),
    ]);
  }
  if (flags.raw === true && formOf(context) !== 'csv') {
    return context.fail([
      problem('usage', '--raw works only with --format csv', { hint: 'add --format csv' }),
    ]);
  }
  const schema = await findSchema(context, flags.schema);
  if (!schema.ok) return context.fail(schema.problems);
  const read = await readLiveOrSaved(context, { saved: flags.observed, antivirus: flags.antivirus === true });
  if (!read.ok) return context.fail(read.problems);
  context.report(read.problems);
  const { account, observed } = read.value;
  const groups = chooseGroups(flags.group, observed);
  if (!groups.ok) return context.fail(groups.problems);

  const draft = draftFleet(observed, {
    companyId: account.companyId,
    antivirus: flags.antivirus === true,
    includes: ({ groupId }) => groups.value?.has(groupId) ?? true,
  });
  const print: PrintDraft = (part, file) =>
    printDraft(part, formOf(context), { schema: schema.value?.(file), raw: flags.raw === true });
  if (out === undefined) context.printExactly(print(draft, 'fleet.yaml'));
  else {
    const written = await writeDraft(context, flags, out, { draft, observed, print });
    if (!written.ok) return context.fail(written.problems);
  }
  printLeftOutNames(context, draft);
  return exitCodes.success;
}

type PrintDraft = (draft: FleetDraft, file: string) => string;

interface Imported {
  readonly draft: FleetDraft;
  readonly observed: Observed;
  readonly print: PrintDraft;
}

async function writeDraft(
  context: Context,
  flags: ImportFlags,
  out: string,
  { draft, observed, print }: Imported,
): Promise<Result<null>> {
  const form = formOf(context);
  const folder = await isFolder(context, flags, out);
  const parts = flags.byGroup === true ? byGroup(draft, observed) : [{ name: 'fleet', part: draft }];
  const files = parts.map(({ name, part }): NewFile => {
    const file = folder ? join(out, `${name}.${endings[form]}`) : out;
    return { file, text: print(part, file) };
  });
  const written = await writeNewFiles(context, files, flags.force === true);
  if (!written.ok) return written;
  context.log(`${draftWords(draft)}: ${firstFew(files, 5, ({ file }) => printable(file))}`);
  if (folder) await listOtherFiles(context, out, files);
  if (form === 'csv') context.log(`To use the table, add to a desired state: hostsFrom: ${printable(out)}`);
  if (form === 'yaml') context.log(`Next: rampart plan -f ${printable(out)}${accountWords(context)}`);
  return written;
}

/** The formats of an import; `text` means YAML. */
const forms = { text: 'yaml', yaml: 'yaml', json: 'json', csv: 'csv', hcl: 'hcl', cdktf: 'cdktf' } as const;
type Form = (typeof forms)[keyof typeof forms];

const endings: Readonly<Record<Form, string>> = {
  yaml: 'yaml',
  json: 'json',
  csv: 'csv',
  hcl: 'tf',
  cdktf: 'stack.ts',
};

/** `format-misuse.ts` has already refused all other formats. */
function formOf({ settings }: Context): Form {
  return (forms as Readonly<Partial<Record<Format, Form>>>)[settings.format] ?? 'yaml';
}

interface PrintOptions {
  readonly schema: string | undefined;
  readonly raw: boolean;
}

function printDraft(draft: FleetDraft, form: Form, { schema, raw }: PrintOptions): string {
  switch (form) {
    case 'yaml':
      return printYaml(draft, schema === undefined ? {} : { schema });
    case 'json':
      return `${jsonText(toJsonState(draft), 2)}\n`;
    case 'csv':
      return printCsv(draft, { raw });
    case 'hcl':
      return printHcl(draft);
    case 'cdktf':
      return printCdktf(draft);
  }
}

function chooseGroups(
  words: readonly string[] | undefined,
  observed: Observed,
): Result<ReadonlySet<GroupId> | undefined> {
  if (words === undefined) return ok(undefined);
  const found = allOf(words.map((word) => findGroup(word, observed)));
  return found.ok ? ok(new Set(found.value)) : found;
}

function byGroup(
  draft: FleetDraft,
  observed: Observed,
): readonly { readonly name: string; readonly part: FleetDraft }[] {
  const nameOf = createFileNames(observed.groups);
  return draft.groups.map((group) => ({ name: nameOf(group.groupId), part: { ...draft, groups: [group] } }));
}

async function isFolder(context: Context, flags: ImportFlags, out: string): Promise<boolean> {
  if (flags.byGroup === true || out.endsWith('/')) return true;
  const stats = await stat(context.path(out)).catch(() => undefined);
  return stats?.isDirectory() === true;
}

/** A file of an earlier import may claim the same hosts. */
async function listOtherFiles(context: Context, folder: string, files: readonly NewFile[]): Promise<void> {
  const written = new Set(files.map(({ file }) => file));
  const ending = `.${endings[formOf(context)]}`;
  const names = await readdir(context.path(folder)).catch(() => []);
  const others = names
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(ending) && !written.has(file));
  if (others.length === 0) return;
  context.log(`Existing files left unchanged: ${firstFew(others.toSorted(), 5, printable)}`);
}
