import { z } from 'zod';
import { protectedFrom } from '../model/desired.ts';
import {
  accountKeys,
  entryKeys,
  fileKeys,
  groupKeys,
  type Keys,
  limitKeys,
  policyKeys,
} from './file-keys.ts';

const integerText = /^-?(?:0|[1-9]\d*)$/;
const text = z.string().regex(/\S/);

/** Not `z.int()`, which ends at 2^53. */
const id = z.union([z.number().multipleOf(1), z.string().regex(integerText)]);

const limit = z.union([
  z.number().multipleOf(1).min(0),
  z.string().regex(/^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%$/),
]);

const group = z.union([text, z.null(), described(groupKeys, { id })]);

const entry = described(entryKeys, {
  id: id.optional(),
  name: text.optional(),
  previously: z.union([text, z.array(text)]).optional(),
  group: group.optional(),
  antivirus: z.literal('installed').optional(),
  ensure: z.enum(['present', 'absent']).optional(),
  deleteAfter: z.iso.datetime({ offset: true }).optional(),
  protect: z.array(z.enum(protectedFrom)).optional(),
}).meta({
  allOf: [
    { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
    {
      anyOf: [
        { properties: { ensure: { const: 'present' }, deleteAfter: false } },
        { properties: { ensure: { const: 'absent' }, group: false, antivirus: false }, required: ['ensure'] },
      ],
    },
  ],
});

/** The shape of a desired-state file, for editors. `read-file.ts` reads the same shape, with places. */
export const fleetFile = described(fileKeys, {
  version: z.literal(1),
  account: described(accountKeys, { companyId: id }).optional(),
  hosts: z.array(entry).optional(),
  policy: described(policyKeys, {
    limits: described(limitKeys, {
      delete: limit.optional(),
      rename: limit.optional(),
      move: limit.optional(),
      missing: limit.optional(),
    }).optional(),
  }).optional(),
});

/** An object of exactly these keys, each with its description. */
function described<K extends Keys, S extends Record<keyof K, z.ZodType>>(keys: K, shape: S) {
  const entries = Object.entries(shape).map(([key, schema]) => [key, schema.describe(keys[key] as string)]);
  return z.strictObject(Object.fromEntries(entries) as S);
}
