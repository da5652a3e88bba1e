import { unzipSync } from 'fflate';
import { decodeValue } from '../messagepack/decode-value.ts';
import { codecOf } from '../protobuf/codec.ts';
import type { Message, MessageTable } from '../protobuf/message-table.ts';
import { isRecord, type RecordValue } from '../value/value.ts';
import type { ObjectType } from '../value/value-type.ts';
import { resourceTypeIn } from './resource-type.ts';

/** One change of a resource in a saved plan. */
export interface SavedChange {
  readonly type: string;
  /** The address of the provider block, with its alias. */
  readonly provider: string;
  /** Null: the resource is created. */
  readonly before: RecordValue | null;
  /** The same value as `before` if nothing changes. */
  readonly after: RecordValue;
}

/** The messages of `tfplan`, without the fields that this provider does not need. */
const planMessages = {
  Plan: { version: [1, 'int64'], resourceChanges: [3, 'ResourceChange', 'repeated'] },
  ResourceChange: {
    deposedKey: [7, 'string'],
    provider: [8, 'string'],
    change: [9, 'Change'],
    address: [13, 'string'],
  },
  Change: { action: [1, 'int32'], values: [2, 'Value', 'repeated'] },
  Value: { msgpack: [1, 'bytes'] },
} as const satisfies MessageTable;

const planCodec = codecOf(planMessages);

/** The file in the archive that contains the changes. */
const planName = 'tfplan';

/** Terraform changes it if older programs would misread the plan. */
const knownVersion = 3n;

/** The actions that keep a resource, with the indexes of its values before and after them. */
const keptBy: ReadonlyMap<number, { readonly before: number | null; readonly after: number }> = new Map([
  [0, { before: 0, after: 0 }],
  [1, { before: null, after: 0 }],
  [3, { before: 0, after: 1 }],
  [6, { before: 0, after: 1 }],
  [7, { before: 0, after: 1 }],
  [9, { before: 0, after: 1 }],
]);

/**
 * The changes of some types of resources in a saved plan, without those that remove a resource. Throws an Error if the file is
 * not a plan of a known version.
 */
export function readPlanFile(
  bytes: Uint8Array,
  types: Readonly<Record<string, ObjectType>>,
): readonly SavedChange[] {
  const { [planName]: file } = unzipSync(bytes, { filter: ({ name }) => name === planName });
  if (file === undefined) throw new Error(`the archive does not contain ${planName}`);
  const plan = planCodec.decode('Plan', file);
  if (plan.version !== knownVersion) throw new Error(`the plan has the unknown version ${plan.version}`);
  return plan.resourceChanges.flatMap((each) => changesOf(each, types));
}

function changesOf(
  { address, deposedKey, provider, change }: Message<typeof planMessages, 'ResourceChange'>,
  types: Readonly<Record<string, ObjectType>>,
): readonly SavedChange[] {
  const name = resourceTypeIn(address);
  const type = name !== null && Object.hasOwn(types, name) ? types[name] : undefined;
  const kept = keptBy.get(change?.action ?? 0);
  if (name === null || type === undefined || kept === undefined || deposedKey !== '') return [];
  const values = (change?.values ?? []).map(({ msgpack }) => decodeValue(msgpack, type));
  const before = kept.before === null ? null : values[kept.before];
  const after = values[kept.after];
  if (before === undefined || !isRecord(after)) throw new Error(`the plan of ${address} has no values`);
  return [{ type: name, provider, before: before as RecordValue | null, after }];
}
