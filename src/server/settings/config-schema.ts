import { configKeys } from '../../accounts/config/config-keys.ts';
import { type JsonSchema, schemaOfKeys } from '../../accounts/config/setting.ts';
import { serverSection } from './server-section.ts';

/** The JSON Schema of rampart.config.yaml (draft 2020-12), for completion and checks in an editor. */
export function configJsonSchema(): JsonSchema {
  const server = { ...configKeys.server, is: serverSection('', new Set()) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Rampart: the accounts of a configuration',
    ...schemaOfKeys({ ...configKeys, server }),
  };
}
