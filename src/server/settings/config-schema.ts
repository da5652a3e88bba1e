import { z } from 'zod';
import { accountModes } from '../../accounts/config/account-config.ts';
import {
  accountKeys,
  aliasKeys,
  type ConfigKeys,
  configKeys,
  defaultKeys,
  jwtKeys,
  keyKeys,
  loginKeys,
  vaultKeys,
} from '../../accounts/config/account-keys.ts';
import { rolloutKeys } from '../../accounts/config/rollout-config.ts';
import { serverSection } from './server-section.ts';

/** The JSON Schema of rampart.config.yaml (draft 2020-12), for completion and checks in an editor. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(configFile(), { io: 'input' });
  return { $schema, title: 'Rampart: the accounts of a configuration', ...schema };
}

type Shapes = Readonly<Record<string, z.ZodType>>;

/** A mapping with these keys, each with its description. A key without a shape is one line of text. */
function mapping(keys: ConfigKeys, shapes: Shapes = {}, required: readonly string[] = []): z.ZodType {
  const members = Object.entries(keys).map(([key, meaning]) => {
    const shape = (shapes[key] ?? z.string()).describe(meaning);
    return [key, required.includes(key) ? shape : shape.optional()];
  });
  return z.strictObject(Object.fromEntries(members) as z.ZodRawShape);
}

function configFile(): z.ZodType {
  const lines = z.union([z.string(), z.array(z.string())]);
  const login = mapping(loginKeys, { jwt: mapping(jwtKeys, {}, ['role']) });
  const key = mapping(keyKeys, {
    command: z.array(z.string()).min(1),
    vault: mapping(vaultKeys, { login }, ['address', 'path', 'login']),
  });
  const amount = z.union([z.string(), z.int()]);
  const limits = z.partialRecord(z.enum(['delete', 'rename', 'move', 'antivirus', 'missing']), amount);
  const windows = z.array(
    z.strictObject({
      name: z.string(),
      only: lines,
      kinds: z.array(z.enum(['rename', 'move', 'antivirus', 'delete'])).optional(),
      message: z.string().optional(),
    }),
  );
  const settings = {
    companyId: z.union([z.string(), z.int()]),
    auth: z.enum(['basic', 'json']),
    key,
    files: lines,
    labels: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    mode: z.enum(accountModes),
    limits,
    windows,
  };
  return mapping(configKeys, {
    accounts: z.record(z.string(), mapping(accountKeys, settings)),
    include: lines,
    defaults: mapping(defaultKeys, settings),
    aliases: mapping(aliasKeys, { connectionPath: z.enum(['connection', 'connections']) }),
    rollout: mapping(rolloutKeys, {
      canary: lines,
      waves: z.array(z.string()),
      maxFailed: amount,
      parallel: z.int(),
    }),
    server: serverSection('', new Set()).schema,
  });
}
