import { relative, resolve } from 'node:path';
import { configFileName } from '../../accounts/config/config-folder.ts';
import { readAccounts } from '../../accounts/config/read-accounts.ts';
import { selectAccounts } from '../../accounts/config/select-accounts.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { noFacts } from '../../core/model/facts.ts';
import { printSnapshot } from '../../core/model/snapshot.ts';
import { asWarning, failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { fleetJsonSchema } from '../../input/schema/json-schema.ts';
import { draftFleet } from '../../input/writing/draft-fleet.ts';
import { emptyYaml, printYaml } from '../../input/writing/fleet-draft.ts';
import { printTypescript } from '../../input/writing/print-typescript.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { isThere } from '../../run/state/files/run-files.ts';
import { allowedOriginsVariable } from '../../service/client/pinned-origins.ts';
import { contextOf } from '../accounts/account-context.ts';
import { printResult } from '../listing/print-listing.ts';
import { emulatorState, snapshotFile } from '../pipelines/pipeline.ts';
import {
  filesThatDiffer,
  type PipelineSystem,
  pipelineFiles,
  pipelineSystem,
} from '../pipelines/pipeline-files.ts';
import { publishingSteps } from '../pipelines/publishing-steps.ts';
import { draftWords, printLeftOutNames } from '../setup/draft-words.ts';
import { exampleFiles } from '../setup/examples.ts';
import { type Answers, askForAnswers, type InitFlags, printConfiguration } from '../setup/init-answers.ts';
import { readLiveOrSaved } from '../setup/live-or-saved.ts';
import { type NewFile, writeNewFiles } from '../setup/replace-files.ts';
import { usualSchema } from '../setup/schema-path.ts';
import { type Context, createContext, readTextFile } from '../shell/context.ts';
import { addPin, pinsPath } from '../trust/user-pins.ts';

/** What `init` keeps out of Git: the records of runs, and the plan file that the examples write. */
const untracked = ['.rampart/', 'plan.json'] as const;

const states = ['fleet.yaml', 'fleet.ts', 'fleet'] as const;

/** Creates a folder in which `rampart plan` works, and a pipeline if a flag asks for one. */
export async function init(context: Context, flags: InitFlags): Promise<ExitCode> {
  const place = inFolder(context, flags.dir ?? '.');
  if (flags.from !== undefined) return copyExample(context, place, flags.from);
  const system = pipelineSystem(flags);
  const state = await existingState(place);
  if (state !== undefined && system === undefined) {
    return context.fail([
      problem('usage', `a desired state already exists here: ${state}`, {
        hint: 'nothing was written; choose another folder with --dir',
      }),
    ]);
  }
  const isConfigured = context.settings.emulator === undefined && (await isThere(place.path(configFileName)));
  const answers =
    state !== undefined && isConfigured
      ? await configuredAnswers(place)
      : await askForAnswers(context, flags);
  if (!answers.ok) return context.fail(answers.problems);
  const pipeline = await pipelineOf(context, place, { flags, answers: answers.value, state });
  if (!pipeline.ok) return context.fail(pipeline.problems);
  const changed = flags.force === true ? [] : await filesThatDiffer(place, pipeline.value);
  if (changed.length > 0) return context.fail(changed);

  const around = await writeMissing(place, [
    { file: configFileName, text: printConfiguration(answers.value) },
    { file: '.gitignore', text: `${untracked.join('\n')}\n` },
    { file: usualSchema, text: `${JSON.stringify(fleetJsonSchema(), null, 2)}\n` },
  ]);
  if (!around.ok) return context.fail(around.problems);
  const isOurs = around.value.written.includes(configFileName);
  const pinned = isOurs ? await pinTyped(place, answers.value) : ok(null);
  context.report([...pinned.problems, ...pipeline.problems]);
  const first = state === undefined ? await firstFiles(context, place, answers.value, system) : ok([]);
  if (!first.ok) return context.fail(first.problems);
  context.report(first.problems);
  const added = await writeMissing(place, first.value);
  if (!added.ok) return context.fail(added.problems);
  const piped = await writePipeline(place, pipeline.value);
  if (!piped.ok) return context.fail(piped.problems);

  const done = [added.value, around.value, piped.value];
  const written = done.flatMap((each) => each.written);
  const unchanged = [...(state === undefined ? [] : [state]), ...done.flatMap((each) => each.unchanged)];
  printResult(context, { written, unchanged }, written.map((file) => `${printable(file)}\n`).join(''));
  const ignored = await readTextFile(place.path('.gitignore'), '.gitignore');
  const lines = new Set(ignored.ok ? ignored.value.split(/\/?\r?\n/) : []);
  const tracked = untracked.filter((each) => !lines.has(each.replace(/\/$/, '')));
  for (const line of nextSteps(context, place, answers.value, { unchanged, system, tracked }))
    context.log(line);
  if (system !== undefined)
    for (const line of publishingSteps(place, system, answers.value)) context.log(line);
  return exitCodes.success;
}

async function copyExample(context: Context, place: Context, name: string): Promise<ExitCode> {
  const files = exampleFiles(name);
  const written = files.ok ? await writeNewFiles(place, files.value, false) : files;
  if (!files.ok || !written.ok) return context.fail(written.problems);
  const names = files.value.map(({ file }) => file);
  context.log('Next: follow the commands in README.md.');
  return printResult(context, { written: names, unchanged: [] }, names.map((file) => `${file}\n`).join(''));
}

async function existingState(place: Context): Promise<string | undefined> {
  for (const state of states) if (await isThere(place.path(state))) return state;
  return undefined;
}

/** The account that the configuration already has: --account, or its only one. */
async function configuredAnswers(place: Context): Promise<Result<Answers>> {
  const names = place.settings.accountNames;
  const file = await readAccounts({ folder: place.io.cwd, env: place.io.env });
  if (!file.ok) return file;
  const chosen = names.length === 0 ? ok(file.value.accounts) : selectAccounts(file.value, { names });
  if (!chosen.ok) return chosen;
  const [account, another] = chosen.value;
  if (account === undefined || another !== undefined) {
    return failed(
      problem('usage', `${configFileName} has ${count(chosen.value.length, 'account')}`, {
        hint: 'choose the account of the pipeline with --account',
      }),
    );
  }
  const { name, baseUrl, companyId, key } = account;
  return ok({
    account: name,
    baseUrl: baseUrl ?? null,
    companyId: companyId ?? null,
    ...(key?.kind === 'variable' ? { pskVariable: key.variable } : {}),
    language: 'yaml',
    fromFleet: false,
  });
}

interface PipelineWish {
  readonly flags: InitFlags;
  readonly answers: Answers;
  readonly state: string | undefined;
}

async function pipelineOf(
  { io, settings: { emulator } }: Context,
  place: Context,
  { flags, answers, state }: PipelineWish,
): Promise<Result<readonly NewFile[]>> {
  const { account, pskVariable, language, fromFleet } = answers;
  const seed = emulator?.seed;
  const file = state ?? (language === 'yaml' ? 'fleet.yaml' : 'fleet.ts');
  return pipelineFiles(place, flags, {
    files: [file === 'fleet' ? 'fleet/' : file],
    source:
      emulator === undefined
        ? { kind: 'account', account, ...(pskVariable === undefined ? {} : { variable: pskVariable }) }
        : {
            kind: 'emulator',
            ...(seed === undefined ? {} : { seed: relative(place.io.cwd, resolve(io.cwd, seed)) }),
          },
    snapshot: (state === undefined && fromFleet) || (await isThere(place.path(snapshotFile))),
  });
}

/** Only files that differ are written, and those only with --force: the caller has checked that. */
async function writePipeline(place: Context, files: readonly NewFile[]): Promise<Result<Written>> {
  const old = await Promise.all(files.map(({ file }) => readTextFile(place.path(file), file)));
  const isSame = files.map(({ text }, index) => {
    const read = old[index];
    return read?.ok === true && read.value === text;
  });
  const written = files.filter((_, index) => isSame[index] !== true);
  const done = await writeNewFiles(place, written, true);
  if (!done.ok) return done;
  return ok({
    written: written.map(({ file }) => file),
    unchanged: files.filter((_, index) => isSame[index] === true).map(({ file }) => file),
  });
}

/** The same command in another folder. */
function inFolder(context: Context, folder: string): Context {
  const io = { ...context.io, cwd: context.path(folder) };
  return createContext(io, context.settings, context.redaction, context.events);
}

/** The user typed the address and the location of the key, so no command asks about them again. */
async function pinTyped(place: Context, { baseUrl, pskVariable, pskFile }: Answers): Promise<Result<null>> {
  const path = pinsPath(place.io.env);
  const url = URL.parse(baseUrl ?? '');
  if (path === null || url === null) return ok(null);
  const key = pskFile === undefined ? `variable ${pskVariable ?? ''}` : `file ${place.path(pskFile)}`;
  const saved = await addPin(path, { origin: url.origin, key });
  return saved.ok ? saved : ok(null, saved.problems.map(asWarning));
}

/** Allows the origin for this command, even if the answer could not be saved. */
function allowing(place: Context, { baseUrl }: Answers): Context {
  const url = URL.parse(baseUrl ?? '');
  if (url === null) return place;
  const { env } = place.io;
  const allowed = `${env[allowedOriginsVariable] ?? ''} ${url.origin}`;
  const io = { ...place.io, env: { ...env, [allowedOriginsVariable]: allowed } };
  return createContext(io, place.settings, place.redaction, place.events);
}

/** The new account, so that the fleet can be read with it. */
async function withAccount(place: Context, { account, fromFleet }: Answers): Promise<Result<Context>> {
  if (!fromFleet || place.settings.emulator !== undefined) return ok(place);
  const file = await readAccounts({ folder: place.io.cwd, env: place.io.env });
  const chosen = file.ok ? selectAccounts(file.value, { names: [account] }) : file;
  if (!chosen.ok) return chosen;
  const [found] = chosen.value;
  return ok(found === undefined ? place : contextOf(place, found));
}

interface Written {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
}

async function writeMissing(place: Context, files: readonly NewFile[]): Promise<Result<Written>> {
  const unchanged: string[] = [];
  const written: string[] = [];
  for (const each of files) {
    if (await isThere(place.path(each.file))) {
      unchanged.push(each.file);
      continue;
    }
    const result = await writeNewFiles(place, [each], false);
    if (!result.ok) return result;
    written.push(each.file);
  }
  return ok({ written, unchanged });
}

/** From the live fleet if requested, else with nothing managed. A pipeline also gets a snapshot for forks. */
async function firstFiles(
  context: Context,
  folder: Context,
  answers: Answers,
  system: PipelineSystem | undefined,
): Promise<Result<readonly NewFile[]>> {
  const place = await withAccount(allowing(folder, answers), answers);
  if (!place.ok) return place;
  const { companyId, language, fromFleet } = answers;
  const isYaml = language === 'yaml';
  const file = isYaml ? 'fleet.yaml' : 'fleet.ts';
  if (!fromFleet) {
    const nothing = { ...(companyId === null ? {} : { companyId }), groups: [] };
    return ok([{ file, text: isYaml ? emptyYaml(nothing, usualSchema) : printTypescript(nothing) }]);
  }
  const reader = context.settings.emulator === undefined ? place.value : context;
  const read = await readLiveOrSaved(reader, { antivirus: false });
  if (!read.ok) return read;
  const { account, observed } = read.value;
  const draft = draftFleet(observed, { companyId: account.companyId, antivirus: false });
  context.log(`${draftWords(draft)}.`);
  printLeftOutNames(context, draft);
  const text = isYaml ? printYaml(draft, { schema: usualSchema }) : printTypescript(draft);
  const snapshot = { file: snapshotFile, text: printSnapshot({ account, observed, facts: noFacts }) };
  return ok([{ file, text }, ...(system === undefined ? [] : [snapshot])], read.problems);
}

interface Done {
  readonly unchanged: readonly string[];
  readonly system: PipelineSystem | undefined;
  /** Files that belong to one run, and that Git does not ignore yet. */
  readonly tracked: readonly string[];
}

function nextSteps(
  { io, settings }: Context,
  place: Context,
  { account, pskVariable }: Answers,
  { unchanged, system, tracked }: Done,
): readonly string[] {
  const folder = relative(io.cwd, place.io.cwd);
  const { emulator } = settings;
  const seed =
    emulator?.seed === undefined ? '' : `=${relative(place.io.cwd, resolve(io.cwd, emulator.seed))}`;
  // The jobs of a pipeline keep the emulated fleet in this file.
  const kept = system === undefined ? '' : ` --emulator-state=${emulatorState}`;
  return [
    ...unchanged.map((file) => `Left unchanged: ${file}`),
    ...tracked.map((each) => `Add this line to .gitignore: ${each}`),
    'Next:',
    ...(folder === '' ? [] : [`  cd ${printable(folder)}`]),
    ...(pskVariable === undefined
      ? []
      : [`  export ${pskVariable}_FILE=…    the path of a file with the PSK, which only you can read`]),
    `  rampart plan ${emulator === undefined ? `--account ${account}` : `--emulator${seed}${kept}`}`,
  ];
}
