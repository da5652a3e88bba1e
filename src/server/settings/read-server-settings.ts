import { resolve } from 'node:path';
import { configFileName, openConfigFolder } from '../../accounts/config/config-folder.ts';
import { configKeys } from '../../accounts/config/config-keys.ts';
import { parseConfigText, readKeys } from '../../accounts/config/config-reading.ts';
import { type AccountsFile, readAccounts } from '../../accounts/config/read-accounts.ts';
import type { TextRule } from '../../accounts/config/setting.ts';
import { defined } from '../../core/lib/defined.ts';
import type { Environment } from '../../core/lib/environment.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { serverSection } from './server-section.ts';
import type { ServerSettings, SourceSettings } from './server-settings.ts';
import { addressRule, isLoopbackHost, listenRule } from './setting-values.ts';

export interface SettingsLocation {
  /** The folder of rampart.config.yaml, absolute. */
  readonly folder: string;
  readonly env: Environment;
  /** In place of `listen`, such as the value of `--listen`. */
  readonly listen?: string;
}

const day = 86_400_000;
const topOfFile = { file: configFileName, line: 1, col: 1 };
const defaultListen = { host: '127.0.0.1', port: 8080 };

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
  const read = member && serverSection(folder, accounts.value.labels).read(reading, member, '"server"');
  const overrides = readOverrides(location);
  const wrong = [...reading.problems.all(), ...overrides.problems];
  if (wrong.length > 0 || !overrides.ok) return failed(...wrong);
  const settings = settingsOf({ ...read?.values, ...overrides.value }, location, accounts.value);
  checkListen(settings, (key, message, hint) =>
    read === undefined
      ? reading.problems.add(problem('configuration', message, { hint, place: topOfFile }))
      : read.refuse(key, message, hint),
  );
  const problems = [...reading.problems.all(), ...findSourceProblems(settings)];
  return problems.length > 0 ? failed(...problems) : ok(settings);
}

type Given = NonNullable<ReturnType<ReturnType<typeof serverSection>['read']>>['values'];

/** What a flag and the environment give in place of the file. A wrong one is refused: the file would be used otherwise. */
function readOverrides({ env, listen }: SettingsLocation): Result<Pick<Given, 'url' | 'listen' | 'data'>> {
  const problems: Problem[] = [];
  const read = <T>(name: string, given: string | undefined, { parse, words, hint }: TextRule<T>) => {
    if (given === undefined) return undefined;
    const value = parse(given);
    if (value === undefined)
      problems.push(problem('invalid-value', `${name} must be ${words}`, hint === undefined ? {} : { hint }));
    return value;
  };
  const variable = (name: string) => (env[name] === '' ? undefined : env[name]);
  const data = variable('RAMPART_SERVER_DATA');
  const url = read('RAMPART_SERVER_URL', variable('RAMPART_SERVER_URL'), addressRule);
  const wanted =
    listen === undefined
      ? read('RAMPART_SERVER_LISTEN', variable('RAMPART_SERVER_LISTEN'), listenRule)
      : read('--listen', listen, listenRule);
  if (problems.length > 0) return failed(...problems);
  return ok(defined({ url, listen: wanted, data }));
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
    listen: given.listen ?? defaultListen,
    data: resolve(folder, given.data ?? '.rampart/server'),
    cadenceMs: given.cadence ?? 600_000,
    sources: given.sources ?? [{ kind: 'folder', name: 'files', folder, allowsScripts: false, place }],
    registers: given.registers ?? [],
    pipelines: given.pipelines ?? [],
    approvals: given.approvals ?? [{ required: 1, notAuthor: false, expireAfterMs: day, place }],
    windows: given.windows ?? [],
    freezes: given.freezes ?? [],
    overrun: given.overrun ?? 'pause',
    notifications: given.notifications ?? [],
    retentionMs: given.retention ?? 90 * day,
    allow: given.allow ?? [],
    metrics: given.metrics ?? {},
  };
}

/** Without a login everyone who reaches the server is an administrator, so nobody else may reach it. */
function checkListen(
  { listen, login, url }: ServerSettings,
  refuse: (key: string, message: string, hint: string) => void,
): void {
  if (login === undefined && !isLoopbackHost(listen.host)) {
    refuse(
      'listen',
      `the server can't listen on ${listen.host} without "login": other machines could reach it`,
      'add "login" with an OIDC provider, or listen on 127.0.0.1',
    );
  }
  if (login !== undefined && url === undefined && !isLoopbackHost(listen.host)) {
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

/** The source that has the files of an account. */
export function sourceOf(settings: ServerSettings, account: { readonly source?: string }): SourceSettings {
  const found = settings.sources.find(({ name }) => name === account.source) ?? settings.sources[0];
  if (found === undefined) throw new Error('settings have at least one source');
  return found;
}
