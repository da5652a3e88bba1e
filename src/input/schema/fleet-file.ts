import { z } from 'zod';
import { entryFields } from './entry-fields.ts';
import type { Field, Fields, ValueField } from './field.ts';
import { fileFields, groupFields } from './file-fields.ts';

const integerText = /^-?(?:0|[1-9]\d*)$/;
const text = z.string().regex(/\S/);
const time = z.iso.datetime({ offset: true });

/** `z.int()` can't be used because it ends at 2^53. */
const id = z.union([z.number().multipleOf(1), z.string().regex(integerText)]);

const durationText = /^\d{1,6}[smhd]$/;

const limit = z.union([
  z.number().multipleOf(1).min(0),
  z.string().regex(/^(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%$/),
]);

/** An entry needs an id or a name, and some keys exclude others. */
const entryRules = {
  allOf: [
    { anyOf: [{ required: ['id'] }, { required: ['name'] }] },
    {
      anyOf: [
        { properties: { ensure: { const: 'present' }, deleteAfter: false } },
        { properties: { ensure: { const: 'absent' }, group: false, antivirus: false }, required: ['ensure'] },
      ],
    },
  ],
};

/** The shape of a desired-state file, for editors. `read-file.ts` reads the same shape and keeps places. */
export const fleetFile = section(fileFields);

/** An object with exactly these keys, each with its description. */
function section(fields: Fields): z.ZodObject {
  const entries = Object.entries(fields).map(([key, field]) => {
    const schema = schemaOf(field);
    return [key, (field.required ? schema : schema.optional()).describe(field.meaning)];
  });
  const schema = z.strictObject(Object.fromEntries(entries) as Record<string, z.ZodType>);
  return fields === entryFields ? schema.meta(entryRules) : schema;
}

function schemaOf(field: Field): z.ZodType {
  switch (field.type) {
    case 'section':
      return section(field.fields);
    case 'list':
      return z.array(section(field.fields));
    case 'section or list':
      return z.union([section(field.fields), z.array(section(field.fields))]);
    case 'tables':
      return z.union([text, z.array(text)]);
    default:
      return valueSchema(field);
  }
}

function valueSchema({ type, words = [], ifEmpty }: ValueField): z.ZodType {
  switch (type) {
    case 'version':
      return z.literal(1);
    case 'id':
      return id;
    case 'text':
    case 'condition':
    case 'template':
    case 'expression':
      return text;
    case 'count':
      return z.number().multipleOf(1).min(0);
    case 'duration':
      return z.string().regex(durationText);
    case 'names':
      return z.union([text, z.array(text)]);
    case 'hours':
      return z.union([text, z.array(text).min(1)]);
    case 'host':
      return z.union([text, id]);
    case 'group':
      return z.union([text, z.null(), section(groupFields)]);
    case 'boolean':
      return z.boolean();
    case 'time':
      return time;
    case 'word':
      return words.length === 1 ? z.literal(words[0]) : z.enum(words);
    case 'words':
      return ifEmpty === undefined ? z.array(z.enum(words)) : z.array(z.enum(words)).min(1);
    case 'limit':
      return limit;
  }
}
