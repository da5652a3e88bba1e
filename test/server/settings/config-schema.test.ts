import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configJsonSchema } from '../../../src/server/settings/server-section.ts';

it('schema/config.schema.json is what the program prints: npm run schemas writes it', () => {
  const file = new URL('../../../schema/config.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(configJsonSchema());
});

it('the schema of the configuration has every key with its description, and refuses others', () => {
  const schema = configJsonSchema();
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: {
      accounts: {
        additionalProperties: {
          properties: { key: { properties: { vault: { required: ['address', 'path', 'login'] } } } },
        },
      },
      include: { description: expect.stringContaining('accounts/*/account.yaml') },
    },
  });
});
