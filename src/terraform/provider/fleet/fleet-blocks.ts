import { entryFields } from '../../../input/schema/entry-fields.ts';
import type { Field, Fields, ValueField } from '../../../input/schema/field.ts';
import { fileFields, identityFields, ruleFields } from '../../../input/schema/file-fields.ts';
import { groupPolicyFields, policyFields } from '../../../input/schema/policy-fields.ts';
import { type Block, oneOf, type PlainAttribute } from '../../protocol/schema/schema.ts';
import type { Type } from '../../protocol/value/value.ts';
import { asArguments } from '../as-arguments.ts';
import { isGroupId, isHostId } from '../host/schema.ts';
import { argumentNameOf, inBlockWords } from './desired-keys.ts';

/*
 * A desired state as nested blocks, with the keys that `src/input` reads from a file. The blocks have only the types. The
 * reader of files also checks the values and their combinations here.
 */

const types: Readonly<Partial<Record<ValueField['type'], Type>>> = {
  boolean: 'bool',
  names: { list: 'string' },
  hours: { list: 'string' },
  words: { set: 'string' },
};

/** Keys of a rule and of a file that have no block: a script or several rules do the same. */
const { stages: _stages, ...ruleKeys } = ruleFields;

export const desiredBlocks = {
  identity: blockOf('single', fileFields.identity.meaning, identityFields),
  host: blockOf('list', fileFields.hosts.meaning, entryFields),
  rule: blockOf('list', fileFields.rules.meaning, ruleKeys),
  group: groupBlock(),
  policy: blockOf('single', fileFields.policy.meaning, policyFields),
};

export const unmanagedArgument = attributeOf(fileFields.unmanaged);

function blockOf(nesting: Block['nesting'], meaning: string, fields: Fields): Block {
  const all = Object.entries<Field>(fields);
  return {
    nesting,
    description: inTerraformWords(meaning),
    attributes: Object.fromEntries(all.flatMap(([key, field]) => argumentsOf(argumentNameOf(key), field))),
    blocks: Object.fromEntries(
      all.flatMap(([key, field]) =>
        'fields' in field
          ? [[argumentNameOf(key), blockOf(nestingOf(field.type), field.meaning, field.fields)]]
          : [],
      ),
    ),
  };
}

function nestingOf(type: 'section' | 'list' | 'section or list'): Block['nesting'] {
  return type === 'section' ? 'single' : 'list';
}

type Arguments = readonly (readonly [string, PlainAttribute])[];

function argumentsOf(name: string, field: Field): Arguments {
  if (!isValue(field)) return [];
  return field.type === 'group' ? groupArguments(name, `${name}_id`, field) : [[name, attributeOf(field)]];
}

/** The settings of a group have its name and its id under shorter names. */
function groupBlock(): Block {
  const { group, ...others } = groupPolicyFields;
  const block = blockOf('list', fileFields.groups.meaning, others);
  const attributes = { ...Object.fromEntries(groupArguments('name', 'id', group)), ...block.attributes };
  return { ...block, attributes };
}

/** A group in a file is a name, an id or null. Here, the id has its own argument. */
function groupArguments(name: string, idName: string, { meaning }: ValueField): Arguments {
  const what = meaning.split(/[:,] /, 1)[0];
  const id = 'The same by its id.';
  return [
    [name, { type: 'string', optional: true, description: `${what}: its name.` }],
    [idName, { type: 'string', optional: true, description: id, validate: [isGroupId] }],
  ];
}

function attributeOf({ type, required, words = [], meaning }: ValueField): PlainAttribute {
  return {
    type: types[type] ?? 'string',
    ...(required ? { required } : { optional: true }),
    description: inTerraformWords(meaning),
    ...(type === 'id' ? { validate: [isHostId] } : {}),
    ...(type === 'word' ? { validate: [oneOf(...words)] } : {}),
  };
}

function isValue(field: Field): field is ValueField {
  return !('fields' in field) && field.type !== 'tables';
}

function inTerraformWords(meaning: string): string {
  const template = "`$${…}`, because `${…}` is Terraform's own syntax";
  return asArguments(inBlockWords(meaning)).replace('${…}', () => template);
}
