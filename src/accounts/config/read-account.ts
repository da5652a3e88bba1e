import { isInt64 } from '../../core/lib/int64.ts';
import { fillName } from '../../core/model/account-placeholders.ts';
import type { Limits, WindowPolicy } from '../../core/model/policy.ts';
import type { TicketRule } from '../../core/model/ticket-rule.ts';
import type { Place } from '../../core/problem/problem.ts';
import { readLimits } from '../../input/policy/read-limits.ts';
import { limitFields } from '../../input/schema/policy-fields.ts';
import { report } from '../../input/values/reading.ts';
import { parseBaseUrl } from '../../service/client/base-url.ts';
import { type AccountMode, accountModes, type KeySource } from './account-config.ts';
import { lineOf, linesOf, readMembersOf } from './config-reading.ts';
import { isLabelName, labelNameWords } from './label-name.ts';
import { type Fill, keySource } from './read-key-source.ts';
import { type ConfigSection, lenientSection, list, type Setting, text, type Values } from './setting.ts';
import { amountSchema, windows, word } from './setting-values.ts';
import { ticketSetting } from './ticket-setting.ts';

/** A desired-state file or folder, and the place of `files` that lists it. */
export interface AccountFile {
  readonly path: string;
  readonly place: Place;
}

/** What one mapping says about an account: its own, or `defaults`. */
export interface AccountSettings {
  readonly baseUrl?: string | undefined;
  readonly companyId?: string | undefined;
  readonly auth?: 'basic' | 'json' | undefined;
  /** Fills in the name of the account. */
  readonly key?: ((name: string) => KeySource | undefined) | undefined;
  readonly files: (name: string) => readonly AccountFile[];
  readonly source?: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly mode?: AccountMode | undefined;
  readonly limits: Partial<Limits>;
  readonly windows: readonly WindowPolicy[];
  readonly ticket?: TicketRule | undefined;
  readonly places: Readonly<Record<string, Place>>;
}

export const noSettings: AccountSettings = {
  files: () => [],
  labels: {},
  limits: {},
  windows: [],
  places: {},
};

const baseUrl: Setting<string> = {
  schema: text.schema,
  read(reading, given, what) {
    const address = lineOf(reading, given, what);
    if (address === undefined) return undefined;
    const url = parseBaseUrl(address);
    if (url.ok) return address;
    const hint = 'write an address such as https://remote.example.com';
    for (const { code, message } of url.problems) report(reading, given.value, code, message, { hint });
    return undefined;
  },
};

const companyId: Setting<string> = {
  schema: amountSchema,
  read(reading, { value }, what) {
    if (value.kind === 'scalar' && isInt64(value.text)) return value.text;
    return report(reading, value, 'invalid-id', `${what} must be an integer`, {
      hint: "copy it from the API tab of the account's configuration: digits only",
    });
  },
};

interface Labels {
  readonly labels: Readonly<Record<string, string>>;
  readonly places: Readonly<Record<string, Place>>;
}

const labels: Setting<Labels> = {
  schema: {
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
  read(reading, { value }, what) {
    const found: Record<string, string> = {};
    const places: Record<string, Place> = {};
    for (const member of readMembersOf(reading, value, what) ?? []) {
      const name = member.key.text;
      if (!isLabelName(name)) {
        report(reading, member.key, 'invalid-value', 'the name of a label is not valid', {
          hint: labelNameWords,
        });
        continue;
      }
      const label = lineOf(reading, member, `the label "${name}"`);
      if (label === undefined) continue;
      found[name] = label;
      places[`labels.${name}`] = reading.source.placeOf(member.key);
    }
    return { labels: found, places };
  },
};

const limits: Setting<Partial<Limits>> = {
  schema: {
    type: 'object',
    propertyNames: { type: 'string', enum: Object.keys(limitFields) },
    additionalProperties: amountSchema,
  },
  read: (reading, { value }) =>
    Object.fromEntries(readLimits(reading, value, limitFields).map(({ name, limit }) => [name, limit])),
};

/** Fills the name of an account into a text of `defaults`. The texts of an account are left as they are. */
type FillFor = (text: string, name: string) => string;

const unfilled: FillFor = (given) => given;
/** A name for no account in particular, with which patterns are checked once. */
const exampleName = 'a';

function keyOf(fill: FillFor): Setting<(name: string) => KeySource | undefined> {
  const settingFor = (name: string) => {
    const filled: Fill = (given) => fill(given, name);
    return keySource(filled);
  };
  const example = settingFor(exampleName);
  return {
    schema: example.schema,
    read(reading, given, what) {
      const first = example.read(reading, given, what);
      const hasPattern = fill !== unfilled && first !== undefined;
      return hasPattern ? (name) => settingFor(name).read(reading, given, what) : () => first;
    },
  };
}

function filesOf(fill: FillFor): Setting<AccountSettings['files']> {
  return {
    schema: list(text).schema,
    read(reading, given, what) {
      const lines = linesOf(reading, given, what);
      for (const { text: path, node } of lines) {
        const parts = fill(path, exampleName).split(/[\\/]/);
        if (!/^(?:[\\/]|[A-Za-z]:)/.test(path) && !parts.includes('..')) continue;
        report(
          reading,
          node,
          'invalid-value',
          `${what} names a path outside the folder of the configuration`,
          {
            hint: 'write paths relative to the folder of rampart.config.yaml, without ".."',
          },
        );
      }
      const placed = lines.map(({ text: path, node }) => ({ path, place: reading.source.placeOf(node) }));
      return (name) => placed.map(({ path, place }) => ({ path: fill(path, name), place }));
    },
  };
}

/** The keys that an account and `defaults` share. Names are filled in only in `defaults`. */
function sharedKeys(fill: FillFor) {
  return {
    baseUrl: { is: baseUrl, meaning: "The service's address. Default: RAMPART_BASE_URL." },
    auth: {
      is: word(['basic', 'json']),
      meaning: 'The form in which the key is sent: basic (the default) or json.',
    },
    key: {
      is: keyOf(fill),
      meaning: 'The location of the key. Default: RAMPART_PSK or RAMPART_PSK_FILE.',
    },
    files: {
      is: filesOf(fill),
      meaning:
        'Desired-state files and folders, relative to the folder of rampart.config.yaml. The files of "defaults" come first.',
    },
    source: {
      is: text,
      meaning: 'The source of "server" that the files are read from. Default: its only source.',
    },
    labels: {
      is: labels,
      meaning: 'Labels, which --accounts selects by and expressions read as account.labels.',
    },
    mode: {
      is: word(accountModes),
      meaning: 'What to do with differences: observe, propose (the default) or correct.',
    },
    limits: {
      is: limits,
      meaning:
        'Limits on the changes of one plan. The stricter of these and those of the desired state holds.',
    },
    windows: {
      is: windows,
      meaning: 'When changes are allowed, in addition to the windows of the desired state.',
    },
    ticket: {
      is: ticketSetting,
      meaning: 'The change ticket that each apply must name, and how it is checked before the first write.',
    },
  } as const;
}

const accountKeys = {
  companyId: { is: companyId, meaning: 'The company ID from the API settings of the account.' },
  ...sharedKeys(unfilled),
} as const;

type SharedValues = Values<ReturnType<typeof sharedKeys>>;

function settingsOf(
  { labels: labeled, ...values }: SharedValues & { readonly companyId?: string },
  { members, placeOf }: Pick<ConfigSection, 'members' | 'placeOf'>,
): AccountSettings {
  const places = Object.fromEntries(
    Object.entries(members).flatMap(([key, member]) =>
      member === undefined || key === 'name' ? [] : [[key, placeOf(member.key)]],
    ),
  );
  return {
    ...noSettings,
    ...values,
    ...labeled,
    places: { ...places, ...labeled?.places },
  };
}

/** `defaults:` of rampart.config.yaml. */
export const defaultSettings: Setting<AccountSettings> = lenientSection(sharedKeys(fillName), settingsOf);

/** One account of `accounts:`. */
export const accountSettings: Setting<AccountSettings> = lenientSection(accountKeys, settingsOf);

/** An account in its own file. */
export const includedAccount = lenientSection(
  {
    name: {
      is: text,
      meaning:
        'The name of the account. Default: the name of the file, or of its folder if the file is called account.yaml.',
    },
    ...accountKeys,
  },
  ({ name, ...values }, at) => ({
    // The text is undefined after it was refused.
    name: at.members.name === undefined ? undefined : { text: name, span: at.members.name.value },
    settings: settingsOf(values, at),
  }),
);
