import { z } from 'zod';
import { type EntryAttribute, ignoredAttributes, protectedFrom } from '../../core/model/entry.ts';
import { changeKinds, unmanagedWords } from '../../core/model/policy.ts';
import { type EntryField, entryAttributes, fieldOf } from './entry-fields.ts';
import {
  accountKeys,
  changePolicyKeys,
  entryKeys,
  fileKeys,
  freezeKeys,
  groupKeys,
  groupLimitKeys,
  groupPolicyKeys,
  type Keys,
  knownDriftKeys,
  limitKeys,
  policyKeys,
  protectKeys,
  ruleKeys,
  windowKeys,
} from './file-keys.ts';

const integerText = /^-?(?:0|[1-9]\d*)$/;
const text = z.string().regex(/\S/);

/** `z.int()` can't be used because it ends at 2^53. */
const id = z.union([z.number().multipleOf(1), z.string().regex(integerText)]);

const limit = z.union([
  z.number().multipleOf(1).min(0),
  z.string().regex(/^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%$/),
]);

const group = z.union([text, z.null(), described(groupKeys, { id })]);

const schemas: { readonly [Type in EntryField['type']]: (words: readonly string[]) => z.ZodType } = {
  id: () => id,
  text: () => text,
  names: () => z.union([text, z.array(text)]),
  group: () => group,
  time: () => z.iso.datetime({ offset: true }),
  word: (words) => (words.length === 1 ? z.literal(words[0]) : z.enum(words)),
  words: (words) => z.array(z.enum(words)),
};

const entry = described(
  entryKeys,
  Object.fromEntries<z.ZodType>(
    entryAttributes.map((key) => {
      const { type, words = [] } = fieldOf(key);
      return [key, schemas[type](words).optional()];
    }),
  ) as Record<EntryAttribute, z.ZodType>,
).meta({
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

const rule = described(ruleKeys, {
  name: text,
  when: text,
  group: group.optional(),
  rename: text.optional(),
  antivirus: z.literal('installed').optional(),
  ensure: z.enum(['present', 'absent']).optional(),
});

const groupPolicy = described(groupPolicyKeys, {
  group,
  unmanaged: z.enum(unmanagedWords).optional(),
  exclusive: z.boolean().optional(),
  othersTo: group.optional(),
  limits: described(groupLimitKeys, {
    delete: limit.optional(),
    rename: limit.optional(),
    move: limit.optional(),
    antivirus: limit.optional(),
  }).optional(),
});

const protection = described(protectKeys, {
  name: text.optional(),
  when: text,
  from: z.array(z.enum(protectedFrom)).min(1),
  message: text.optional(),
});

const changePolicy = described(changePolicyKeys, { name: text, when: text, message: text });

const windowPolicy = described(windowKeys, {
  name: text,
  only: z.union([text, z.array(text).min(1)]),
  kinds: z.array(z.enum(changeKinds)).min(1).optional(),
  message: text.optional(),
});

const freeze = described(freezeKeys, {
  name: text.optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  message: text.optional(),
});

const knownDrift = described(knownDriftKeys, {
  host: z.union([text, id]),
  attributes: z.array(z.enum(ignoredAttributes)),
  reason: text,
  until: z.iso.datetime({ offset: true }).optional(),
});

/** The shape of a desired-state file, for editors. `read-file.ts` reads the same shape and keeps places. */
export const fleetFile = described(fileKeys, {
  version: z.literal(1),
  account: described(accountKeys, { companyId: id }).optional(),
  hosts: z.array(entry).optional(),
  hostsFrom: z.union([text, z.array(text)]).optional(),
  rules: z.array(rule).optional(),
  knownDrift: z.array(knownDrift).optional(),
  unmanaged: z.enum(unmanagedWords).optional(),
  groups: z.array(groupPolicy).optional(),
  policy: described(policyKeys, {
    limits: described(limitKeys, {
      delete: limit.optional(),
      rename: limit.optional(),
      move: limit.optional(),
      antivirus: limit.optional(),
      missing: limit.optional(),
    }).optional(),
    protect: z.array(protection).optional(),
    deny: z.array(changePolicy).optional(),
    warn: z.array(changePolicy).optional(),
    windows: z.array(windowPolicy).optional(),
    freeze: z.union([freeze, z.array(freeze)]).optional(),
  }).optional(),
});

/** An object with exactly these keys, each with its description. */
function described<K extends Keys, S extends Record<keyof K, z.ZodType>>(keys: K, shape: S) {
  const entries = Object.entries(shape).map(([key, schema]) => [key, schema.describe(keys[key] as string)]);
  return z.strictObject(Object.fromEntries(entries) as S);
}
