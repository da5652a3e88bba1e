import { Token } from 'cdktf';
import type { Construct } from 'constructs';
import { parseDuration } from '../core/lib/parse-duration.ts';
import { quoted } from '../core/lib/words.ts';
import { hasLineBreak } from '../core/model/host-name.ts';
import { toGroupId, toHostId } from '../core/model/observed.ts';
import { readTemporaryName } from '../core/model/temporary-name.ts';

/** The problems of a property, as text; none if it is absent, or a token that only Terraform knows. */
export type PropertyCheck = (name: string, value: unknown) => readonly string[];

/** Throws an Error that names the construct and lists every problem with its properties. */
export function refuse(construct: Construct, faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(`${construct.node.path}: ${faults.join('; ')}`);
}

const longestText = 10_000;

export const checkText: PropertyCheck = textOf((name, text) => {
  if (text.trim() === '') return [`${name} is empty`];
  if (text.length > longestText) return [`${name} has more than ${longestText} characters`];
  if (!text.isWellFormed()) return [`${name} contains half a character (a lone surrogate)`];
  if (text.normalize('NFC') === text) return [];
  return [`${name} is not in Unicode form NFC, to which Terraform converts every text: ${quoted(text)}`];
});

/** A name that a host can get. */
export const checkHostName: PropertyCheck = (name, value) => {
  const ofText = checkText(name, value);
  if (typeof value !== 'string' || Token.isUnresolved(value)) return ofText;
  return [
    ...ofText,
    ...(hasLineBreak(value) ? [`${name} contains a line break: ${quoted(value)}`] : []),
    ...(readTemporaryName(value) === undefined
      ? []
      : [`${name} is reserved for temporary renames: choose a name without "~rampart": ${quoted(value)}`]),
  ];
};

export const checkHostId: PropertyCheck = textOf((name, text) =>
  toHostId(text) === undefined ? [`${name} is not a host id: ${quoted(text)}`] : [],
);

export const checkGroupId: PropertyCheck = textOf((name, text) =>
  toGroupId(text) === undefined ? [`${name} is not a group id: ${quoted(text)}`] : [],
);

export const checkDuration: PropertyCheck = textOf((name, text) =>
  parseDuration(text) === undefined ? [`${name} is not a duration such as 15m: ${quoted(text)}`] : [],
);

/** A path for a command line. */
export const checkPath: PropertyCheck = textOf((name, path) => {
  if (path.trim() === '') return [`${name} is empty`];
  if (path.startsWith('-')) return [`${name} starts with a dash like a flag: write ./${path}`];
  return /\p{Cc}/u.test(path) ? [`${name} contains a control character`] : [];
});

export function oneOfWords(...words: readonly string[]): PropertyCheck {
  return textOf((name, text) =>
    words.includes(text) ? [] : [`${name} is ${quoted(text)}, not ${words.map(quoted).join(' or ')}`],
  );
}

function textOf(check: (name: string, text: string) => readonly string[]): PropertyCheck {
  return (name, value) => {
    if (value === undefined || Token.isUnresolved(value)) return [];
    return typeof value === 'string' ? check(name, value) : [`${name} must be text`];
  };
}
