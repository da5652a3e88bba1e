import type { MessageTable } from '../protobuf/message-table.ts';

/** Messages that describe a provider. */
export const schemaMessages = {
  Schema: { version: [1, 'int64'], block: [2, 'Block'] },
  Block: {
    version: [1, 'int64'],
    attributes: [2, 'Attribute', 'repeated'],
    blockTypes: [3, 'NestedBlock', 'repeated'],
    description: [4, 'string'],
    descriptionKind: [5, 'int32'],
    deprecated: [6, 'bool'],
    /** [1.15] */
    deprecationMessage: [7, 'string'],
  },
  Attribute: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    description: [3, 'string'],
    required: [4, 'bool'],
    optional: [5, 'bool'],
    computed: [6, 'bool'],
    sensitive: [7, 'bool'],
    descriptionKind: [8, 'int32'],
    deprecated: [9, 'bool'],
    nestedType: [10, 'NestedObject'],
    writeOnly: [11, 'bool'],
    /** [1.15] */
    deprecationMessage: [12, 'string'],
  },
  NestedBlock: {
    typeName: [1, 'string'],
    block: [2, 'Block'],
    nesting: [3, 'int32'],
    minItems: [4, 'int64'],
    maxItems: [5, 'int64'],
  },
  NestedObject: { attributes: [1, 'Attribute', 'repeated'], nesting: [3, 'int32'] },
  Function: {
    parameters: [1, 'Parameter', 'repeated'],
    variadicParameter: [2, 'Parameter'],
    return: [3, 'Return'],
    summary: [4, 'string'],
    description: [5, 'string'],
    descriptionKind: [6, 'int32'],
    deprecationMessage: [7, 'string'],
  },
  Parameter: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    allowNullValue: [3, 'bool'],
    allowUnknownValues: [4, 'bool'],
    description: [5, 'string'],
    descriptionKind: [6, 'int32'],
  },
  Return: { type: [1, 'bytes'] },
  /** [1.12] */
  IdentitySchema: { version: [1, 'int64'], identityAttributes: [2, 'IdentityAttribute', 'repeated'] },
  IdentityAttribute: {
    name: [1, 'string'],
    type: [2, 'bytes'],
    requiredForImport: [3, 'bool'],
    optionalForImport: [4, 'bool'],
    description: [5, 'string'],
  },
  /** [1.14] */
  ActionSchema: { schema: [1, 'Schema'] },
  'GetProviderSchema.Response': {
    provider: [1, 'Schema'],
    resourceSchemas: [2, 'Schema', 'map'],
    dataSourceSchemas: [3, 'Schema', 'map'],
    diagnostics: [4, 'Diagnostic', 'repeated'],
    providerMeta: [5, 'Schema'],
    serverCapabilities: [6, 'ServerCapabilities'],
    functions: [7, 'Function', 'map'],
    ephemeralResourceSchemas: [8, 'Schema', 'map'],
    /** [1.13] */
    listResourceSchemas: [9, 'Schema', 'map'],
    /** [1.14] */
    actionSchemas: [11, 'ActionSchema', 'map'],
  },
  'GetMetadata.Response': {
    serverCapabilities: [1, 'ServerCapabilities'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    dataSources: [3, 'Named', 'repeated'],
    resources: [4, 'Named', 'repeated'],
    functions: [5, 'Named', 'repeated'],
    ephemeralResources: [6, 'Named', 'repeated'],
    listResources: [7, 'Named', 'repeated'],
    actions: [9, 'Named', 'repeated'],
  },
  Named: { name: [1, 'string'] },
  'GetFunctions.Response': {
    functions: [1, 'Function', 'map'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  /** [1.12] */
  'GetResourceIdentitySchemas.Response': {
    identitySchemas: [1, 'IdentitySchema', 'map'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
} as const satisfies MessageTable;

/** Markdown, which all our descriptions use. */
export const markdownKind = 1;
export const blockNestings = { single: 1, list: 2, set: 3, map: 4, group: 5 } as const;
export const objectNestings = { single: 1, list: 2, set: 3, map: 4 } as const;
