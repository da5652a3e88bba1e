import { schemaOfKeys } from '../../src/accounts/config/setting.ts';
import { serverKeys } from '../../src/server/settings/server-section.ts';

interface JsonSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
}

const whole = schemaOfKeys(serverKeys('', new Set())) as JsonSchema;

/** The tables of docs/reference/configuration.md for `server:`, from the schema that reads it. */
export const serverTables = {
  server: keysAt(),
  serverSource: keysAt('sources'),
  serverLogin: keysAt('login'),
  serverRole: keysAt('login', 'roles'),
  serverPipeline: keysAt('pipelines'),
  serverApproval: keysAt('approvals'),
  serverNotification: keysAt('notifications'),
  serverSmtp: keysAt('notifications', 'smtp'),
  serverMetrics: keysAt('metrics'),
} as const;

function keysAt(...path: readonly string[]): Readonly<Record<string, string>> {
  const found = path.reduce<JsonSchema>((schema, key) => itemOf(schema.properties?.[key]), whole);
  const keys = Object.entries(found.properties ?? {});
  if (keys.length === 0) throw new Error(`there are no keys at ${path.join('.')}`);
  return Object.fromEntries(keys.map(([key, { description = '' }]) => [key, description]));
}

/** Of a list, the schema of its items. */
function itemOf(schema: JsonSchema | undefined): JsonSchema {
  return schema?.anyOf?.find((each) => each.properties !== undefined) ?? schema ?? {};
}
