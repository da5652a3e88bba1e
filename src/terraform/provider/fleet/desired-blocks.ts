import { ungroupedId } from '../../../core/model/observed.ts';
import { ok } from '../../../core/problem/problem.ts';
import type { EncodedValue } from '../../../input/sources/script-output.ts';
import type { FleetText } from '../../fleet/fleet-inputs.ts';
import { isRecord, type RecordValue, type Value } from '../../protocol/value/value.ts';
import { fileKeyOf } from './desired-keys.ts';

/** The name of a desired state from nested blocks in messages. */
const blocksFile = 'rampart_fleet';

/**
 * Converts nested blocks to the value that a script would export, so that the same reader checks it with the same
 * messages. Each block has its own place, such as `host[3]`, without lines. Every value must be known.
 */
export function textOfBlocks(config: RecordValue): FleetText {
  const { company_id = null, unmanaged = null, policy = null, identity = null } = config;
  const account: Value = company_id === null ? null : { company_id };
  const lists = (['host', 'rule', 'group'] as const).map((name) => [name, blocksOf(config[name])] as const);
  const value: EncodedValue = {
    members: [
      ...membersOf({ account, unmanaged, policy, identity }),
      ...lists.flatMap(
        ([name, blocks]): Members =>
          blocks.length === 0
            ? []
            : [[`${name}s`, { items: blocks.map((each, at) => item(name, each, at)) }]],
      ),
    ],
  };
  const places = lists.flatMap(([name, blocks]) => blocks.map((_, index) => placeName(name, index)));
  const files = new Map(places.map((name) => [name, { name }]));
  return { source: { file: blocksFile, text: '', script: ok({ text: '', value, files }) } };
}

type Members = readonly (readonly [string, EncodedValue])[];

function blocksOf(value: Value | undefined): readonly RecordValue[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function item(name: 'host' | 'rule' | 'group', block: RecordValue, index: number): EncodedValue {
  const { name: groupName = null, id = null, ...rest } = block;
  const members = name === 'group' ? { group: groupName, group_id: id, ...rest } : block;
  return { members: membersOf(members), at: { file: placeName(name, index), line: 0, col: 1 } };
}

function placeName(name: string, index: number): string {
  return `${name}[${index}]`;
}

/** Arguments that are not set are left out. */
function membersOf(record: RecordValue): Members {
  return Object.entries(record).flatMap(([name, value]): Members => {
    if (value === null || (Array.isArray(value) && value.length === 0)) return [];
    if (name === 'group_id' || name === 'others_to_id') {
      return [[fileKeyOf(name.slice(0, -'_id'.length)), groupWithId(value as string)]];
    }
    return [[fileKeyOf(name), encode(value, name)]];
  });
}

function groupWithId(id: string): EncodedValue {
  return id === ungroupedId ? { plain: 'null' } : { members: [['id', { plain: id }]] };
}

/** Limits are texts here, because they may be numbers or shares; ids are texts because numbers are rounded. */
function encode(value: Value, name: string): EncodedValue {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return { plain: String(value) };
  if (Array.isArray(value)) return { items: value.map((each: Value) => encode(each, name)) };
  if (!isRecord(value)) throw new Error(`the block has no argument of that type: ${name}`);
  if (name !== 'limits') return { members: membersOf(value) };
  return { members: membersOf(value).map(([limit, share]) => [limit, unquoted(share)]) };
}

function unquoted(value: EncodedValue): EncodedValue {
  return typeof value === 'string' ? { plain: value } : value;
}
