import { relative, resolve } from 'node:path';
import { readAccounts } from '../../../control/accounts/read-accounts.ts';
import { selectAccounts } from '../../../control/accounts/select-accounts.ts';
import { type ExitCode, exitCodes } from '../../../control/engine/exit-code.ts';
import { printable } from '../../../core/lib/printable.ts';
import { problem } from '../../../core/problem/problem.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { fleetJsonSchema } from '../../../input/schema/json-schema.ts';
import { draftFleet } from '../../../input/writing/draft-fleet.ts';
import { countHosts } from '../../../input/writing/fleet-draft.ts';
import { printTypescript } from '../../../input/writing/print-typescript.ts';
import { emptyYaml, printYaml } from '../../../input/writing/print-yaml.ts';
import { count } from '../../../output/review/count.ts';
import { allowedOriginsVariable } from '../../../service/client/pinned-origins.ts';
import { contextOf } from '../accounts/account-context.ts';
import type { InitFlags } from '../setup/init-answers.ts';
import { type Answers, askForAnswers } from '../setup/init-answers.ts';
import { printConfiguration } from '../setup/init-configuration.ts';
import { printLeftOutNames } from '../setup/left-out-names.ts';
import { readLiveOrSaved } from '../setup/live-or-saved.ts';
import { isThere, type NewFile, writeNewFiles } from '../setup/replace-files.ts';
import { usualSchema } from '../setup/schema-path.ts';
import { type Context, createContext } from '../shell/context.ts';
import { addPin, pinsPath } from '../trust/user-pins.ts';

const states = ['fleet.yaml', 'fleet.ts', 'fleet'] as const;

/** Creates a folder in which `rampart plan` works. Existing files stay unchanged. */
export async function init(context: Context, flags: InitFlags): Promise<ExitCode> {
  const place = inFolder(context, flags.dir ?? '.');
  for (const state of states) {
    if (!(await isThere(place.path(state)))) continue;
    return context.fail([
      problem('usage', `a desired state already exists here: ${state}`, {
        hint: 'nothing was written; choose another folder with --dir',
      }),
    ]);
  }
  const answers = await askForAnswers(context, flags);
  if (!answers.ok) return context.fail(answers.problems);

  const around = await writeMissing(place, [
    { file: 'rampart.config.yaml', text: printConfiguration(answers.value) },
    { file: '.gitignore', text: '.rampart/\n' },
    { file: usualSchema, text: `${JSON.stringify(fleetJsonSchema(), null, 2)}\n` },
  ]);
  if (!around.ok) return context.fail(around.problems);
  const isOurs = around.value.written.includes('rampart.config.yaml');
  const pinned = isOurs ? await pinTyped(place, answers.value) : ok(null);
  context.report(pinned.problems);
  const chosen = await withAccount(allowing(place, answers.value), answers.value);
  const state = chosen.ok ? await firstState(context, chosen.value, answers.value) : chosen;
  if (!state.ok) return context.fail(state.problems);
  context.report(state.problems);
  const written = await writeNewFiles(place, [state.value], false);
  if (!written.ok) return context.fail(written.problems);

  const files = [state.value.file, ...around.value.written];
  if (context.settings.format === 'json')
    context.printJson({ written: files, unchanged: around.value.unchanged });
  else context.print(files.map((file) => `${file}\n`).join(''));
  for (const line of nextSteps(context, place, answers.value, around.value.unchanged)) context.log(line);
  return exitCodes.success;
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
  return saved.ok
    ? saved
    : ok(
        null,
        saved.problems.map((each) => ({ ...each, severity: 'warning' })),
      );
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

/** From the live fleet if requested, else with nothing managed. */
async function firstState(context: Context, place: Context, answers: Answers): Promise<Result<NewFile>> {
  const { companyId, language, fromFleet } = answers;
  const isYaml = language === 'yaml';
  const file = isYaml ? 'fleet.yaml' : 'fleet.ts';
  if (!fromFleet) {
    const nothing = { ...(companyId === null ? {} : { companyId }), groups: [] };
    return ok({ file, text: isYaml ? emptyYaml(nothing, usualSchema) : printTypescript(nothing) });
  }
  const reader = context.settings.emulator === undefined ? place : context;
  const read = await readLiveOrSaved(reader, { antivirus: false });
  if (!read.ok) return read;
  const { account, observed } = read.value;
  const draft = draftFleet(observed, { companyId: account.companyId, antivirus: false });
  context.log(`${count(countHosts(draft), 'host')} in ${count(draft.groups.length, 'group')}.`);
  printLeftOutNames(context, draft);
  const text = isYaml ? printYaml(draft, { schema: usualSchema }) : printTypescript(draft);
  return ok({ file, text }, read.problems);
}

function nextSteps(
  { io, settings }: Context,
  place: Context,
  { account, pskVariable }: Answers,
  unchanged: readonly string[],
): readonly string[] {
  const folder = relative(io.cwd, place.io.cwd);
  const { emulator } = settings;
  const seed =
    emulator?.seed === undefined ? '' : `=${relative(place.io.cwd, resolve(io.cwd, emulator.seed))}`;
  return [
    ...unchanged.map((file) => `Left unchanged: ${file}`),
    ...(unchanged.includes('.gitignore') ? ['Add this line to .gitignore: .rampart/'] : []),
    'Next:',
    ...(folder === '' ? [] : [`  cd ${printable(folder)}`]),
    ...(pskVariable === undefined ? [] : [`  export ${pskVariable}=…    the PSK, from your secret store`]),
    `  rampart plan ${emulator === undefined ? `--account ${account}` : `--emulator${seed}`}`,
  ];
}
