import { expect } from 'vitest';
import { paths } from '../../service/emulator/calls.ts';
import { ids } from '../fixture.ts';
import { rule } from '../rule.ts';

export const customFieldRules = [
  rule('section 4, #15', 'the categories come with their values', async ({ send }) => {
    expect((await send('GET', paths.categories)).json).toEqual({
      metadataCategories: [
        {
          id: 'c-site',
          name: 'Site',
          values: [
            { id: 'v-ber', name: 'Berlin' },
            { id: 'v-lis', name: 'Lisbon' },
          ],
        },
      ],
    });
  }),
  rule('section 4, #16', 'each labeled host has its category and value ids', async ({ send }) => {
    expect((await send('GET', paths.customFields)).json).toEqual({
      hosts: [{ id: ids.web1, metadata: [{ categoryId: 'c-site', valueId: 'v-ber' }] }],
    });
  }),
  ...[paths.categories, paths.customFields].map((path) =>
    rule('section 4, #15 and #16', `${path} begins with a prefix`, async ({ send }) => {
      expect((await send('GET', path)).text.startsWith(")]}',")).toBe(true);
    }),
  ),
  rule('section 4', 'other bodies have no prefix', async ({ send }) => {
    expect((await send('GET', paths.hosts)).text.startsWith('{')).toBe(true);
  }),
];
