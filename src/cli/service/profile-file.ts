import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Aliases } from '../../client/aliases.ts';
import { decodeSource } from '../../desired/sources/decode-source.ts';
import type { SourceText, Span } from '../../desired/sources/source-text.ts';
import { parseYaml } from '../../desired/yaml/parse-yaml.ts';
import type { MappingNode, Member, YamlNode } from '../../desired/yaml/yaml-tree.ts';
import { nearest } from '../../lib/nearest.ts';
import { type Problem, type ProblemDetails, problem } from '../../problem/problem.ts';
import type { ProblemCode } from '../../problem/problem-code.ts';
import { failed, ok, type Result } from '../../problem/result.ts';

/** How to reach one account. It names variables and files; it never holds a secret. */
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
}

const profileFileName = 'rampart.config.yaml';

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
const variableKeys: ReadonlySet<string> = new Set(profileKeys.filter((key) => key.endsWith('Variable')));
const soundsSecret = /psk|secret|passw|token|credential|key|sessionid/i;

/**
 * Reads rampart.config.yaml of the folder, if it is there:
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
  folder: string,
  name: string | undefined,
): Promise<Result<ProfileFile>> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(join(folder, profileFileName));
  } catch {
    if (name === undefined) return ok({ profile: {}, aliases: {} });
    return failed(
      problem('configuration', `there is no ${profileFileName} here, so no profile can be chosen`, {
        hint: 'write one, or leave out --profile and set RAMPART_COMPANY_ID and RAMPART_PSK',
      }),
    );
  }
  const source = decodeSource({ file: profileFileName, text: bytes });
  const tree = source.ok ? parseYaml(source.value) : source;
  if (!source.ok || !tree.ok) return failed(...tree.problems.map(withoutSourceLine));
  return readProfileFile(source.value, tree.value, name);
}

function readProfileFile(source: SourceText, tree: YamlNode, name: string | undefined): Result<ProfileFile> {
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
        if (value.kind === 'scalar' && value.text !== '') {
          if (!variableKeys.has(key) || /^[A-Za-z_]\w{0,63}$/.test(value.text)) return [[key, value.text]];
          report(
            value,
            'configuration',
            `${key} must be the name of an environment variable, not what it holds`,
          );
        } else report(value, 'wrong-type', `${key} must be a text`);
        return [];
      }),
    );

  const top = read(tree, profileFileName, fileKeys);
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
      problem('configuration', `${profileFileName} has no profile "${name}"`, {
        hint: `it has: ${[...profiles.keys()].join(', ') || 'none'}`,
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
        hint: 'name a variable with pskVariable or a file with pskFile, and make a new key if this one was shared',
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
