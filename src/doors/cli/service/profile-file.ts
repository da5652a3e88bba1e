import { nearest } from '../../../core/lib/nearest.ts';
import { type Problem, type ProblemDetails, problem } from '../../../core/problem/problem.ts';
import type { ProblemCode } from '../../../core/problem/problem-code.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { decodeSource } from '../../../input/sources/decode-source.ts';
import type { SourceText, Span } from '../../../input/sources/source-text.ts';
import type { MappingNode, Member, YamlNode } from '../../../input/sources/yaml-tree.ts';
import { parseYaml } from '../../../input/yaml/parse-yaml.ts';
import type { Aliases } from '../../../service/client/aliases.ts';
import type { Environment } from '../shell/io.ts';
import { configFileName, readConfigSource } from '../trust/config-source.ts';

/** How to reach one account. It names variables and files, and never contains a secret. */
export interface Profile {
  readonly baseUrl?: string;
  readonly companyId?: string;
  readonly auth?: string;
  readonly pskVariable?: string;
  readonly pskFile?: string;
  readonly sessionIdVariable?: string;
  readonly profileIdVariable?: string;
}

export interface ProfileFile {
  readonly profile: Profile;
  readonly aliases: Aliases;
  /** It comes from the commit that the operator named, so its addresses and keys are trusted. */
  readonly isReviewed: boolean;
}

const fileKeys = ['profiles', 'aliases'] as const;
const profileKeys = [
  'baseUrl',
  'companyId',
  'auth',
  'pskVariable',
  'pskFile',
  'sessionIdVariable',
  'profileIdVariable',
] as const;
const aliasKeys = ['connectionPath', 'installPath', 'vendorInstallSupported', 'hasVendorInstalled'] as const;
/**
 * The variables that a file may name. Their values are sent to the service, so other secrets of the environment must
 * not match, whoever wrote the file.
 */
const variableNames = {
  pskVariable: { pattern: /^(?:RAMPART_PSK(?:_\w+)?|\w+_PSK)$/, words: 'RAMPART_PSK, or end with _PSK' },
  sessionIdVariable: {
    pattern: /^(?:RAMPART_SESSION_ID(?:_\w+)?|\w+_SESSION_ID)$/,
    words: 'RAMPART_SESSION_ID, or end with _SESSION_ID',
  },
  profileIdVariable: {
    pattern: /^(?:RAMPART_PROFILE_ID(?:_\w+)?|\w+_PROFILE_ID)$/,
    words: 'RAMPART_PROFILE_ID, or end with _PROFILE_ID',
  },
} as const;
const longestVariable = 64;
const soundsSecret = /psk|secret|passw|token|credential|key|sessionid/i;

/** Is this the name of a variable that a profile may take its key from? */
export function isPskVariable(name: string): boolean {
  return isNameOf(variableNames.pskVariable, name);
}

function isNameOf({ pattern }: { readonly pattern: RegExp }, name: string): boolean {
  return name.length <= longestVariable && pattern.test(name);
}

/**
 * Reads rampart.config.yaml, if there is one:
 *
 *     profiles:
 *       berlin:
 *         baseUrl: https://remote.example.com
 *         companyId: 1234567890
 *         pskVariable: BERLIN_PSK          # or pskFile: /run/secrets/berlin
 *     aliases:
 *       connectionPath: connections
 *
 * Problems point at a line and never quote it, as somebody may have put a secret there.
 */
export async function loadProfileFile(
  { folder, env }: { readonly folder: string; readonly env: Environment },
  name: string | undefined,
): Promise<Result<ProfileFile>> {
  const read = await readConfigSource(folder, env);
  if (!read.ok) {
    if (name !== undefined) return read;
    const problems = read.problems.map((each) => ({ ...each, severity: 'warning' as const }));
    return ok({ profile: {}, aliases: {}, isReviewed: false }, problems);
  }
  const { bytes, isReviewed } = read.value;
  if (bytes === null) {
    if (name === undefined) return ok({ profile: {}, aliases: {}, isReviewed });
    return failed(
      problem(
        'configuration',
        `there is no ${configFileName} ${isReviewed ? 'in the reviewed commit' : 'here'}, so --profile can't be used`,
        { hint: 'create one, or remove --profile and set RAMPART_COMPANY_ID and RAMPART_PSK' },
      ),
    );
  }
  const source = decodeSource({ file: configFileName, text: bytes });
  const tree = source.ok ? parseYaml(source.value) : source;
  if (!source.ok || !tree.ok) return failed(...tree.problems.map(withoutSourceLine));
  const file = readProfileFile(source.value, tree.value, name);
  return file.ok ? ok({ ...file.value, isReviewed }) : file;
}

function readProfileFile(
  source: SourceText,
  tree: YamlNode,
  name: string | undefined,
): Result<Omit<ProfileFile, 'isReviewed'>> {
  const problems: Problem[] = [];
  const report = (span: Span, code: ProblemCode, message: string, details: ProblemDetails = {}) => {
    problems.push(withoutSourceLine(problem(code, message, { place: source.placeOf(span), ...details })));
  };
  const membersOf = (node: YamlNode, what: string): readonly Member[] => {
    if (node.kind === 'mapping') return (node satisfies MappingNode).members;
    report(node, 'wrong-type', `${what} must be a mapping`);
    return [];
  };
  const read = (node: YamlNode, what: string, keys: readonly string[]): Readonly<Record<string, Member>> => {
    const members = membersOf(node, what);
    for (const { key } of members) if (!keys.includes(key.text)) report(key, ...unknownKey(key.text, keys));
    return Object.fromEntries(members.map((member) => [member.key.text, member]));
  };
  const texts = (members: Readonly<Record<string, Member>>): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(members).flatMap(([key, { value }]) => {
        if (value.kind !== 'scalar' || value.text === '' || /\p{Cc}/u.test(value.text)) {
          report(value, 'wrong-type', `${key} must be one line of text`);
          return [];
        }
        const names = Object.hasOwn(variableNames, key)
          ? variableNames[key as keyof typeof variableNames]
          : undefined;
        if (names === undefined || isNameOf(names, value.text)) return [[key, value.text]];
        report(value, 'configuration', `${key} must be the name of an environment variable: ${names.words}`, {
          hint: 'the file must not contain a key or refer to other secrets in the environment',
        });
        return [];
      }),
    );

  const top = read(tree, configFileName, fileKeys);
  const profiles = new Map<string, Profile>();
  for (const { key, value } of top['profiles'] === undefined
    ? []
    : membersOf(top['profiles'].value, 'profiles')) {
    profiles.set(key.text, texts(read(value, 'a profile', profileKeys)));
  }
  const aliases = top['aliases'] === undefined ? {} : texts(read(top['aliases'].value, 'aliases', aliasKeys));
  const path = aliases['connectionPath'];
  if (path !== undefined && path !== 'connection' && path !== 'connections') {
    report(tree, 'invalid-value', 'connectionPath must be connection or connections');
  }
  const profile = name === undefined ? {} : profiles.get(name);
  if (profile === undefined) {
    problems.push(
      problem('configuration', `${configFileName} has no profile "${name}"`, {
        hint: `its profiles are: ${[...profiles.keys()].join(', ') || 'none'}`,
      }),
    );
  }
  return problems.length > 0 || profile === undefined
    ? failed(...problems)
    : ok({ profile, aliases: toAliases(aliases) });
}

function unknownKey(key: string, keys: readonly string[]): [ProblemCode, string, ProblemDetails] {
  if (soundsSecret.test(key)) {
    return [
      'configuration',
      'secrets do not belong in this file',
      {
        hint: 'refer to a variable with pskVariable or a file with pskFile, and create a new key if this one was shared',
      },
    ];
  }
  const [near] = nearest(key, keys);
  return [
    'unknown-key',
    `unknown key "${key}"`,
    { hint: near === undefined ? `the keys here are ${keys.join(', ')}` : `did you mean "${near}"?` },
  ];
}

function toAliases(texts: Readonly<Record<string, string>>): Aliases {
  const { connectionPath, installPath, ...fields } = texts;
  return {
    ...(connectionPath === 'connection' || connectionPath === 'connections' ? { connectionPath } : {}),
    ...(installPath === undefined ? {} : { installPath }),
    ...(Object.keys(fields).length === 0 ? {} : { fields }),
  };
}

function withoutSourceLine(each: Problem): Problem {
  if (each.place === undefined) return each;
  const { file, line, col } = each.place;
  const { related: _, ...rest } = each;
  return { ...rest, place: { file, line, col } };
}
