import { isInt64 } from '../../core/lib/int64.ts';
import { fillName } from '../../core/model/account-placeholders.ts';
import type { Limits } from '../../core/model/limits.ts';
import type { WindowPolicy } from '../../core/model/policy.ts';
import type { Place } from '../../core/problem/place.ts';
import { readLimits } from '../../input/policy/read-limits.ts';
import { readWindowPolicies } from '../../input/policy/read-policy.ts';
import { limitFields } from '../../input/schema/policy-fields.ts';
import type { Member, YamlNode } from '../../input/sources/yaml-tree.ts';
import { readWord } from '../../input/values/read-word.ts';
import { type Reading, report } from '../../input/values/reading.ts';
import { parseBaseUrl } from '../../service/client/base-url.ts';
import { type AccountMode, accountModes, type KeySource } from './account-config.ts';
import { accountKeys, type defaultKeys } from './account-keys.ts';

import { type Found, lineOf, linesOf, membersOf } from './config-reading.ts';
import { isLabelName, labelNameWords } from './label-name.ts';
import { readKeySource } from './read-key-source.ts';

/** A desired-state file or folder, and where `files` names it. */
export interface AccountFile {
  readonly path: string;
  readonly place: Place;
}

/** What one mapping says about an account: its own, or `defaults`. */
export interface AccountSettings {
  readonly baseUrl?: string;
  readonly companyId?: string;
  readonly auth?: 'basic' | 'json';
  /** Fills in the name of the account. */
  readonly key?: (name: string) => KeySource | undefined;
  readonly files: (name: string) => readonly AccountFile[];
  readonly source?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode?: AccountMode;
  readonly limits: Partial<Limits>;
  readonly windows: readonly WindowPolicy[];
  readonly places: Readonly<Record<string, Place>>;
}

export const noSettings: AccountSettings = {
  files: () => [],
  labels: {},
  limits: {},
  windows: [],
  places: {},
};

type SettingMembers = Found<typeof defaultKeys> & { readonly companyId?: Member };

/** Reads the settings that an account and `defaults` share. Names are filled in only in `defaults`. */
export function readSettings(
  reading: Reading,
  members: SettingMembers,
  { isDefault }: { readonly isDefault: boolean },
): AccountSettings {
  const { baseUrl, companyId, auth, key, files, source, labels, mode, limits, windows } = members;
  const fill = isDefault ? fillName : unfilled;
  const address = baseUrl && readAddress(reading, baseUrl);
  const company = companyId && readCompanyId(reading, companyId);
  const form = auth && readWord(reading, auth.value, '"auth"', ['basic', 'json']);
  const chosenMode = mode && readWord(reading, mode.value, '"mode"', accountModes);
  const sourceName = source && lineOf(reading, source, '"source"');
  const read = labels === undefined ? noLabels : readLabels(reading, labels);
  return {
    ...(address === undefined ? {} : { baseUrl: address }),
    ...(company === undefined ? {} : { companyId: company }),
    ...(form === undefined ? {} : { auth: form }),
    ...(key === undefined ? {} : { key: keyReader(reading, key.value, fill) }),
    files: files === undefined ? noSettings.files : fileReader(reading, files, fill),
    ...(sourceName === undefined ? {} : { source: sourceName }),
    labels: read.labels,
    ...(chosenMode === undefined ? {} : { mode: chosenMode }),
    limits: limits === undefined ? {} : limitsOf(reading, limits.value),
    windows: windows === undefined ? [] : readWindowPolicies(reading, windows),
    places: { ...placesOf(reading, members), ...read.places },
  };
}

function placesOf(reading: Reading, members: SettingMembers): Record<string, Place> {
  const places: Record<string, Place> = {};
  for (const key of Object.keys(accountKeys) as (keyof typeof accountKeys)[]) {
    const member = members[key];
    if (member !== undefined) places[key] = reading.source.placeOf(member.key);
  }
  return places;
}

function readAddress(reading: Reading, member: Member): string | undefined {
  const text = lineOf(reading, member, '"baseUrl"');
  if (text === undefined) return undefined;
  const url = parseBaseUrl(text);
  if (url.ok) return text;
  for (const { code, message } of url.problems) {
    report(reading, member.value, code, message, {
      hint: 'write an address such as https://remote.example.com',
    });
  }
  return undefined;
}

function readCompanyId(reading: Reading, { value }: Member): string | undefined {
  if (value.kind === 'scalar' && isInt64(value.text)) return value.text;
  return report(reading, value, 'invalid-id', '"companyId" must be an integer', {
    hint: "copy it from the API tab of the account's configuration: digits only",
  });
}

type Fill = (text: string, name: string) => string;

/** The name of no account in particular, with which patterns are checked once. */
const exampleName = 'a';

function keyReader(reading: Reading, node: YamlNode, fill: Fill): (name: string) => KeySource | undefined {
  const of = (name: string) => readKeySource(reading, node, (text) => fill(text, name));
  const first = of(exampleName);
  const hasPattern = fill !== unfilled && first !== undefined;
  return hasPattern ? of : () => first;
}

const unfilled: Fill = (text) => text;

function fileReader(reading: Reading, member: Member, fill: Fill): AccountSettings['files'] {
  const lines = linesOf(reading, member, '"files"').map(({ text, node }) => ({
    text,
    node,
    place: reading.source.placeOf(node),
  }));
  for (const { text, node } of lines) {
    const parts = fill(text, exampleName).split(/[\\/]/);
    if (!/^(?:[\\/]|[A-Za-z]:)/.test(text) && !parts.includes('..')) continue;
    report(reading, node, 'invalid-value', '"files" names a path outside the folder of the configuration', {
      hint: 'write paths relative to the folder of rampart.config.yaml, without ".."',
    });
  }
  return (name) => lines.map(({ text, place }) => ({ path: fill(text, name), place }));
}

const noLabels = { labels: {}, places: {} };

function readLabels(
  reading: Reading,
  { value }: Member,
): { readonly labels: Readonly<Record<string, string>>; readonly places: Readonly<Record<string, Place>> } {
  const labels: Record<string, string> = {};
  const places: Record<string, Place> = {};
  for (const member of membersOf(reading, value, '"labels"') ?? []) {
    const { text } = member.key;
    if (!isLabelName(text)) {
      report(reading, member.key, 'invalid-value', 'the name of a label is not valid', {
        hint: labelNameWords,
      });
      continue;
    }
    const label = lineOf(reading, member, `the label "${text}"`);
    if (label === undefined) continue;
    labels[text] = label;
    places[`labels.${text}`] = reading.source.placeOf(member.key);
  }
  return { labels, places };
}

function limitsOf(reading: Reading, node: YamlNode): Partial<Limits> {
  return Object.fromEntries(readLimits(reading, node, limitFields).map(({ name, limit }) => [name, limit]));
}
