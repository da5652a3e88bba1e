import { Token } from 'cdktf';
import type { Desired } from '../core/model/desired.ts';
import { formatPlace, ok, type Problem } from '../core/problem/problem.ts';
import { readDesired } from '../input/read-desired.ts';
import { openTablesOf } from '../input/sources/open-table.ts';
import type { EncodedValue } from '../input/sources/script-output.ts';
import { unreadRegisters } from '../input/tables/register-table.ts';
import type { FleetSource } from '../input/typescript/define-fleet.ts';
import { encodeValue } from '../input/typescript/encode-value.ts';
import type { Fleet } from '../input/typescript/fleet.ts';

/** A desired state that was read without errors: its content, and a text for it. */
export interface DesiredText {
  readonly text: string;
  readonly desired: Desired;
}

export type ReadText =
  | { readonly ok: true; readonly value: DesiredText }
  | { readonly ok: false; readonly faults: readonly string[] };

/** The text of a desired state; `also` contains more of it, in separate files. */
export function readYaml(
  file: string,
  text: string,
  also: readonly Also[] = [],
  tables: DesiredTables = {},
): ReadText {
  if (typeof text !== 'string') return { ok: false, faults: [`${file} must be text`] };
  if (Token.isUnresolved(text)) {
    return { ok: false, faults: [`${file} must be text and not a token`] };
  }
  const read = readDesired([{ file, text }, ...also], optionsFor(tables));
  if (read.ok) return { ok: true, value: { text, desired: read.value } };
  return { ok: false, faults: wordsOf(read.problems) };
}

/** The contents of files by the paths that the desired state names. */
export type DesiredTables = Readonly<Record<string, string>>;

/** Registers over the network are read by the plan, and not here. */
function optionsFor(tables: DesiredTables) {
  return { openTable: openTablesOf(tables), registers: unreadRegisters };
}

interface Also {
  readonly file: string;
  readonly text: string;
}

/** The same for the result of `defineFleet`, if it is available synchronously. */
export function textOfFleet(
  name: string,
  source: FleetSource,
  also: readonly Also[] = [],
  tables: DesiredTables = {},
): ReadText {
  const fleet = typeof source === 'function' ? source() : source;
  if (fleet instanceof Promise) {
    return { ok: false, faults: [`${name} is a promise: await it first`] };
  }
  const value = encodeValue(fleet);
  const script = ok({ text: '', value, files: new Map() });
  const checked = readDesired([{ file: `${name}.ts`, text: '', script }], optionsFor(tables));
  if (!checked.ok) return { ok: false, faults: wordsOf(checked.problems) };
  return readYaml(name, textOf(fleet, value), also, tables);
}

function wordsOf(problems: readonly Problem[]): readonly string[] {
  return problems
    .filter((each) => each.severity === 'error')
    .map(({ place, message }) => (place === undefined ? message : `${formatPlace(place)}: ${message}`));
}

/** JSON, which YAML readers accept, with one line for each entry. */
function textOf(fleet: Fleet, value: EncodedValue): string {
  const version = fleet.version === undefined ? '"version": 1,\n' : '';
  return `{\n${version}${jsonOf(value, 0).slice(2)}\n`;
}

const levelsWithLines = 2;

function jsonOf(value: EncodedValue, level: number): string {
  const space = level < levelsWithLines ? '\n' : ' ';
  if (typeof value === 'string') return JSON.stringify(value);
  if ('plain' in value) return value.plain;
  if ('items' in value) {
    return `[${space}${value.items.map((each) => jsonOf(each, level + 1)).join(`,${space}`)}${space}]`;
  }
  if (!('members' in value)) throw new Error('a parsed fleet contains only supported values');
  const members = value.members.map(([key, each]) => `${JSON.stringify(key)}: ${jsonOf(each, level + 1)}`);
  return `{${space}${members.join(`,${space}`)}${space}}`;
}
