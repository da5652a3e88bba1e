import { compareNaturally } from '../../core/lib/natural-order.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { Member } from '../../input/sources/yaml-tree.ts';
import { type Reading, report } from '../../input/values/reading.ts';
import type { Environment } from '../../run/state/origin/environment.ts';
import type { Aliases } from '../../service/client/aliases.ts';
import type { AccountConfig } from './account-config.ts';
import { findConflicts } from './account-conflicts.ts';
import { accountFileKeys, accountKeys, aliasKeys, configKeys, defaultKeys } from './account-keys.ts';
import { accountNameWords, isAccountName } from './account-name.ts';
import {
  type ConfigFile,
  type ConfigFolder,
  configFileName,
  openConfigFolder,
  withEdited,
} from './config-folder.ts';
import { type Found, lineOf, linesOf, membersOf, parseConfigText, readKeys } from './config-reading.ts';
import { type AccountSettings, noSettings, readSettings } from './read-account.ts';
import { type RolloutConfig, readRollout } from './rollout-config.ts';

export interface AccountsFile {
  /** In the natural order of their names, in which every command lists them. */
  readonly accounts: readonly AccountConfig[];
  readonly aliases: Aliases;
  /** It comes from the commit that the operator named, so its addresses and keys are trusted. */
  readonly isReviewed: boolean;
  readonly rollout?: RolloutConfig;
  /** Every label that any account has. */
  readonly labels: ReadonlySet<string>;
}

export interface ConfigLocation {
  readonly folder: string;
  readonly env: Environment;
  /** A file that would be written: it is read in place of the one in the folder. */
  readonly edited?: ConfigFile;
}

/** Reads rampart.config.yaml and the account files that it includes. Without rampart.config.yaml there are no accounts. */
export async function readAccounts({ folder, env, edited }: ConfigLocation): Promise<Result<AccountsFile>> {
  const opened = await openConfigFolder(folder, env);
  if (!opened.ok) return opened;
  const place = edited === undefined ? opened.value : withEdited(opened.value, edited);
  const main = await place.readMain();
  return main.ok ? readConfig(place, main.value) : main;
}

/** Reads only the aliases, which hold without an account too. */
export async function readAliases({ folder, env }: ConfigLocation): Promise<Result<Aliases>> {
  const opened = await openConfigFolder(folder, env);
  const main = opened.ok ? await opened.value.readMain() : opened;
  if (!main.ok)
    return ok(
      {},
      main.problems.map((each) => ({ ...each, severity: 'warning' as const })),
    );
  if (main.value === null) return ok({});
  const parsed = parseConfigText(configFileName, main.value);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const members = readKeys(reading, root, configFileName, configKeys);
  const aliases = readAliasKeys(reading, members?.aliases);
  const problems = reading.problems.all();
  return problems.length > 0 ? failed(...problems) : ok(aliases);
}

async function readConfig(folder: ConfigFolder, bytes: Uint8Array | null): Promise<Result<AccountsFile>> {
  const { isReviewed } = folder;
  if (bytes === null) return ok({ accounts: [], aliases: {}, isReviewed, labels: new Set<string>() });
  const parsed = parseConfigText(configFileName, bytes);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const members = readKeys(reading, root, configFileName, configKeys) ?? {};
  const aliases = readAliasKeys(reading, members.aliases);
  const shared = members.defaults && readKeys(reading, members.defaults.value, '"defaults"', defaultKeys);
  const defaults = shared === undefined ? noSettings : readSettings(reading, shared, { isDefault: true });
  const toConfig = configOf(defaults, { aliases, isReviewed });
  const accounts = readNamed(reading, members.accounts, toConfig);
  const rollout = members.rollout && readRollout(reading, members.rollout.value);
  const patterns = readPatterns(reading, members.include);
  const files = await folder.readMatching(patterns);
  if (!files.ok) return failed(...reading.problems.all(), ...files.problems);
  const included = files.value.map((file) => readIncluded(file, toConfig));
  const all = [...accounts, ...included.flatMap((each) => (each.ok ? each.value : []))];
  const problems: Problem[] = [
    ...reading.problems.all(),
    ...included.flatMap((each) => (each.ok ? [] : each.problems)),
  ];
  if (problems.length === 0) problems.push(...findConflicts(all));
  if (problems.length > 0) return failed(...problems);
  const labels = new Set(all.flatMap((each) => Object.keys(each.labels)));
  return ok({
    accounts: all
      .map((each) => ({ ...each, configuredLabels: labels }))
      .sort((a, b) => compareNaturally(a.name, b.name)),
    aliases,
    isReviewed,
    ...(rollout === undefined ? {} : { rollout }),
    labels,
  });
}

type ToConfig = (reading: Reading, name: Named, settings: AccountSettings) => AccountConfig;

interface Named {
  readonly name: string;
  readonly span: { readonly start: number; readonly end: number };
}

function configOf(
  defaults: AccountSettings,
  shared: Pick<AccountConfig, 'aliases' | 'isReviewed'>,
): ToConfig {
  return (reading, { name, span }, own) => {
    const { baseUrl = defaults.baseUrl, auth = defaults.auth, mode = defaults.mode ?? 'propose' } = own;
    const source = own.source ?? defaults.source;
    const key = own.key?.(name) ?? defaults.key?.(name);
    const files = [...defaults.files(name), ...own.files(name)];
    const isMissing = own.companyId === undefined && own.places['companyId'] === undefined;
    if (isMissing && key?.kind !== 'session') {
      report(reading, span, 'missing-key', `the account "${name}" needs "companyId"`, {
        hint: "copy it from the API tab of the account's configuration",
      });
    }
    return {
      ...shared,
      name,
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(own.companyId === undefined ? {} : { companyId: own.companyId }),
      ...(auth === undefined ? {} : { auth }),
      ...(key === undefined ? {} : { key }),
      ...(source === undefined ? {} : { source }),
      files: files.map(({ path }) => path),
      labels: { ...defaults.labels, ...own.labels },
      configuredLabels: new Set<string>(),
      mode,
      limits: { ...defaults.limits, ...own.limits },
      windows: [...defaults.windows, ...own.windows],
      place: reading.source.placeOf(span),
      places: {
        ...defaults.places,
        ...own.places,
        ...Object.fromEntries(files.map((each) => [`files.${each.path}`, each.place])),
      },
    };
  };
}

function readNamed(
  reading: Reading,
  member: Member | undefined,
  toConfig: ToConfig,
): readonly AccountConfig[] {
  if (member === undefined) return [];
  const members = membersOf(reading, member.value, '"accounts"') ?? [];
  return members.flatMap(({ key, value }) => {
    if (!isAccountName(key.text)) {
      report(reading, key, 'invalid-value', 'the name of an account is not valid', {
        hint: accountNameWords,
      });
      return [];
    }
    const found = readKeys(reading, value, `the account "${key.text}"`, accountKeys);
    if (found === undefined) return [];
    return [
      toConfig(reading, { name: key.text, span: key }, readSettings(reading, found, { isDefault: false })),
    ];
  });
}

function readIncluded({ path, bytes }: ConfigFile, toConfig: ToConfig): Result<readonly AccountConfig[]> {
  const parsed = parseConfigText(path, bytes);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const members = readKeys(reading, root, `the account in ${path}`, accountFileKeys);
  const account = members && readIncludedAccount(reading, path, members, toConfig);
  const problems = reading.problems.all();
  return problems.length > 0 || account === undefined ? failed(...problems) : ok([account]);
}

function readIncludedAccount(
  reading: Reading,
  path: string,
  members: Found<typeof accountFileKeys>,
  toConfig: ToConfig,
): AccountConfig | undefined {
  const span = members.name?.value ?? { start: 0, end: 0 };
  const name = members.name === undefined ? nameOfPath(path) : lineOf(reading, members.name, '"name"');
  if (name === undefined) return undefined;
  if (!isAccountName(name)) {
    return report(reading, span, 'invalid-value', 'the name of an account is not valid', {
      hint: accountNameWords,
    });
  }
  return toConfig(reading, { name, span }, readSettings(reading, members, { isDefault: false }));
}

/** `accounts/berlin/account.yaml` and `accounts/berlin.yaml` are both the account `berlin`. */
function nameOfPath(path: string): string {
  const parts = path.split('/');
  const file = (parts.at(-1) ?? '').replace(/\.ya?ml$/, '');
  return file === 'account' ? (parts.at(-2) ?? file) : file;
}

function readPatterns(reading: Reading, member: Member | undefined): readonly string[] {
  if (member === undefined) return [];
  return linesOf(reading, member, '"include"').flatMap(({ text: pattern, node }) => {
    const segments = pattern.split('/');
    const isInside = segments.every(
      (each) => each !== '' && each !== '.' && each !== '..' && !each.includes('**'),
    );
    if (isInside && !pattern.includes('\\') && /\.ya?ml$/.test(pattern)) return [pattern];
    report(reading, node, 'invalid-value', '"include" has a pattern that is not valid', {
      hint: 'write paths below the folder of rampart.config.yaml, such as accounts/*/account.yaml; "*" stands for a part of one name',
    });
    return [];
  });
}

function readAliasKeys(reading: Reading, member: Member | undefined): Aliases {
  const members = member && readKeys(reading, member.value, '"aliases"', aliasKeys);
  if (members === undefined) return {};
  const text = (key: keyof typeof aliasKeys) => {
    const found = members[key];
    return found === undefined ? undefined : lineOf(reading, found, `"${key}"`);
  };
  const connectionPath = text('connectionPath');
  const installPath = text('installPath');
  const supported = text('vendorInstallSupported');
  const installed = text('hasVendorInstalled');
  if (connectionPath !== undefined && connectionPath !== 'connection' && connectionPath !== 'connections') {
    report(
      reading,
      members.connectionPath?.value ?? { start: 0, end: 0 },
      'invalid-value',
      '"connectionPath" must be connection or connections',
    );
    return {};
  }
  const fields = {
    ...(supported === undefined ? {} : { vendorInstallSupported: supported }),
    ...(installed === undefined ? {} : { hasVendorInstalled: installed }),
  };
  return {
    ...(connectionPath === undefined ? {} : { connectionPath }),
    ...(installPath === undefined ? {} : { installPath }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

/** The problem of a command that needs accounts where there are none. */
export function noAccounts(isReviewed: boolean): Problem {
  return problem(
    'configuration',
    `there are no accounts: ${configFileName} ${isReviewed ? 'of the reviewed commit' : 'of this folder'} has none, or does not exist`,
    {
      hint: `run the command in the folder of ${configFileName}, or add an account with: rampart accounts add NAME`,
    },
  );
}
