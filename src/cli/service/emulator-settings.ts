import { didYouMean, nearest, quoted } from '../../core/lib/words.ts';
import { allOf, failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import {
  mergeSettings,
  readServiceSetting,
  readServiceSettings,
  type ServiceSettings,
} from '../../service/emulator/service-settings.ts';
import { type Context, readTextFile } from '../shell/context.ts';

/** Reads the values of a repeatable flag. Each is key=value, or @ and the path of a settings file. */
export async function readEmulatorSettings(
  context: Context,
  flag: string,
  values: readonly string[] = [],
): Promise<Result<ServiceSettings>> {
  const reads = values.map(async (value): Promise<Result<ServiceSettings>> => {
    if (!value.startsWith('@')) return readServiceSetting(value, flag);
    const file = value.slice(1);
    const text = await readTextFile(context.path(file), file);
    return text.ok ? readServiceSettings(text.value, file) : text;
  });
  const read = allOf(await Promise.all(reads));
  return read.ok ? ok(mergeSettings(read.value)) : read;
}

/** The settings of each account: those for all accounts, then its own, such as `account-3:faults=[]`. */
export async function readSettingsOf(
  context: Context,
  flag: string,
  values: readonly string[],
  names: readonly string[],
): Promise<Result<ReadonlyMap<string, ServiceSettings>>> {
  const split = values.map((value) => {
    const [, name, own] = /^([^=@:]+):(.*)$/s.exec(value) ?? [];
    return name === undefined || own === undefined ? { value } : { name, value: own };
  });
  const problems: Problem[] = split.flatMap(({ name }): readonly Problem[] =>
    name === undefined || names.includes(name) ? [] : [unknownAccount(flag, name, names)],
  );
  const common = await readEmulatorSettings(
    context,
    flag,
    split.flatMap((each) => (each.name === undefined ? each.value : [])),
  );
  problems.push(...(common.ok ? [] : common.problems));
  const settings = new Map<string, ServiceSettings>();
  const byName = Map.groupBy(split, ({ name }) => name);
  for (const name of names) {
    const own = byName.get(name);
    if (own === undefined || !common.ok) {
      if (common.ok) settings.set(name, common.value);
      continue;
    }
    const read = await readEmulatorSettings(
      context,
      `${flag} ${name}`,
      own.map(({ value }) => value),
    );
    if (read.ok) settings.set(name, mergeSettings([common.value, read.value]));
    else problems.push(...read.problems);
  }
  return problems.length > 0 ? failed(...problems) : ok(settings);
}

function unknownAccount(flag: string, name: string, names: readonly string[]): Problem {
  const hint = didYouMean(nearest(name, names)) ?? `the first account is ${quoted(names[0] ?? '')}`;
  return problem('usage', `${flag}: there is no account ${quoted(name)}`, { hint });
}
