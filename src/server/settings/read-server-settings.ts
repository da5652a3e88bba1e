import { resolve } from 'node:path';
import { configFileName, openConfigFolder } from '../../accounts/config/config-folder.ts';
import { configKeys } from '../../accounts/config/config-keys.ts';
import { parseConfigText, readKeys } from '../../accounts/config/config-reading.ts';
import { type AccountsFile, readAccounts } from '../../accounts/config/read-accounts.ts';
import { type Defaults, defaultsOf, type Keys, section, type Values } from '../../accounts/config/setting.ts';
import { defined } from '../../core/lib/defined.ts';
import { isLoopback } from '../../core/lib/loopback.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { defaultApproval } from './access-settings.ts';
import { serverKeys } from './server-section.ts';
import type { ServerSettings, SourceSettings } from './server-settings.ts';

export interface SettingsLocation {
  /** The folder of rampart.config.yaml, absolute. */
  readonly folder: string;
  readonly env: Environment;
  /** In place of `listen`, such as the value of `--listen`. */
  readonly listen?: string;
}

const topOfFile = { file: configFileName, line: 1, col: 1 };

/** Reads the accounts and `server:` of rampart.config.yaml. No secret is read. */
export async function readServerSettings(location: SettingsLocation): Promise<Result<ServerSettings>> {
  const { folder, env } = location;
  const accounts = await readAccounts({ folder, env });
  if (!accounts.ok) return accounts;
  const opened = await openConfigFolder(folder, env);
  const main = opened.ok ? await opened.value.readMain() : opened;
  if (!main.ok) return main;
  if (main.value === null) {
    return failed(
      problem('configuration', `${configFileName} is missing in ${folder}`, {
        hint: 'create it with: rampart init; or try the server with: rampart server --emulator',
      }),
    );
  }
  const parsed = parseConfigText(configFileName, main.value);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const member = readKeys(reading, root, configFileName, configKeys)?.server;
  const keys = serverKeys(folder, accounts.value.labels);
  const server = section(keys, (values, at) => ({ values, refuse: at.refuse }));
  const read = member && server.read(reading, member, '"server"');
  const overrides = readOverrides(location, keys);
  const wrong = [...reading.problems.all(), ...overrides.problems];
  if (wrong.length > 0 || !overrides.ok) return failed(...wrong);
  const settings = settingsOf(
    { ...defaultsOf(keys), ...read?.values, ...overrides.value },
    location,
    accounts.value,
  );
  checkListen(settings, (key, message, hint) =>
    read === undefined
      ? reading.problems.add(problem('configuration', message, { hint, place: topOfFile }))
      : read.refuse(key, message, hint),
  );
  const problems = [...reading.problems.all(), ...findSourceProblems(settings)];
  return problems.length > 0 ? failed(...problems) : ok(settings);
}

type ServerKeys = ReturnType<typeof serverKeys>;
type Given = Partial<Values<ServerKeys>> & Defaults<ServerKeys>;

/** What a flag and the environment give in place of the file. A wrong one is refused: the file would be used otherwise. */
function readOverrides({ env, listen }: SettingsLocation, keys: Keys): Result<Partial<Given>> {
  const problems: Problem[] = [];
  const found: Record<string, unknown> = {};
  for (const [key, { is, variable }] of Object.entries(keys)) {
    if (variable === undefined || is.rule === undefined) continue;
    const isFlag = key === 'listen' && listen !== undefined;
    const given = isFlag ? listen : env[variable];
    if (given === undefined || (given === '' && !isFlag)) continue;
    const { parse, words, hint } = is.rule;
    const value = parse(given);
    const what = `${isFlag ? '--listen' : variable} must be ${words}`;
    if (value === undefined) problems.push(problem('invalid-value', what, defined({ hint })));
    else found[key] = value;
  }
  return problems.length > 0 ? failed(...problems) : ok(found);
}

function settingsOf(
  given: Given,
  { folder }: SettingsLocation,
  { accounts, labels }: AccountsFile,
): ServerSettings {
  const { url, login, reviewers } = given;
  const place = topOfFile;
  return {
    folder,
    accounts,
    labels,
    ...defined({ url, login, reviewers }),
    listen: given.listen,
    data: resolve(folder, given.data),
    cadenceMs: given.cadence,
    sources: given.sources ?? [{ kind: 'folder', name: 'files', folder, allowsScripts: false, place }],
    registers: given.registers ?? [],
    pipelines: given.pipelines ?? [],
    approvals: given.approvals ?? [defaultApproval(place)],
    windows: given.windows ?? [],
    freezes: given.freezes ?? [],
    overrun: given.overrun,
    notifications: given.notifications ?? [],
    retentionMs: given.retention,
    allow: given.allow ?? [],
    metrics: given.metrics ?? {},
  };
}

/** Without a login, everyone who can reach the server is an administrator, so nobody else may reach it. */
function checkListen(
  { listen, login, url }: ServerSettings,
  refuse: (key: string, message: string, hint: string) => void,
): void {
  if (login === undefined && !isLoopback(listen.host)) {
    refuse(
      'listen',
      `the server can't listen on ${listen.host} without "login": other machines could reach it`,
      'add "login" with an OIDC provider, or listen on 127.0.0.1',
    );
  }
  if (login !== undefined && url === undefined && !isLoopback(listen.host)) {
    refuse(
      'login',
      '"login" needs "url": the OIDC provider sends people back to it',
      'write, for example, url: https://rampart.example.com',
    );
  }
}

function findSourceProblems({
  sources,
  accounts,
  notifications,
  registers,
}: ServerSettings): readonly Problem[] {
  return [
    ...twice('source', sources),
    ...twice('notification', notifications),
    ...twice('register', registers),
    ...registers.flatMap(({ name, sources: named, place }): readonly Problem[] => {
      const stray = named?.find((each) => !sources.some((source) => source.name === each));
      if (stray === undefined && (named !== undefined || sources.length === 1)) return [];
      const what =
        stray === undefined ? `the register "${name}" needs "sources"` : `there is no source "${stray}"`;
      return [problem('configuration', what, { place, hint: knownSources(sources) })];
    }),
    ...accounts.flatMap((account): readonly Problem[] => {
      const place = account.places['source'] ?? account.place;
      const { source } = account;
      const isKnown = sources.some(({ name }) => name === source);
      if (isKnown || (source === undefined && sources.length === 1)) return [];
      const what =
        source === undefined
          ? `the account "${account.name}" needs "source"`
          : `there is no source "${source}"`;
      return [problem('configuration', what, { place, hint: knownSources(sources) })];
    }),
  ];
}

function knownSources(sources: readonly SourceSettings[]): string {
  return `the sources are ${[...new Set(sources.map(({ name }) => name))].join(', ') || 'none'}`;
}

function twice(what: string, named: readonly Pick<SourceSettings, 'name' | 'place'>[]): readonly Problem[] {
  return named.flatMap(({ name, place }, at) => {
    const first = named.findIndex((each) => each.name === name);
    return first === at
      ? []
      : [
          problem('configuration', `there are two ${what}s named "${name}"`, {
            place,
            hint: 'rename one of the two',
          }),
        ];
  });
}
