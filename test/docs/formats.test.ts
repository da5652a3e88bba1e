import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plansJsonSchema, unfinishedIndex } from '../../src/accounts/plans/plans-index.ts';
import { noFacts } from '../../src/core/model/facts.ts';
import { printSnapshot } from '../../src/core/model/snapshot.ts';
import { planJsonSchema } from '../../src/core/plan/document/plan-schema.ts';
import { planFormatVersion } from '../../src/core/plan/types/plan.ts';
import { givenFleet } from '../given/fleet.ts';

const account = { companyId: '42', service: 'https://service.example' };
const versionIn = (json: string) => (JSON.parse(json) as { readonly format_version: string }).format_version;
const snapshot = versionIn(printSnapshot({ account, observed: givenFleet([]), facts: noFacts }));

test.each([
  ['guides/service-commands.md', `Snapshots have format ${snapshot}.`],
  ['reference/plan-document.md', `\`${planFormatVersion}\`. A minor version adds fields`],
])('%s says: %s', (page, words) => {
  expect(readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')).toContain(words);
});

test.each([
  ['the plan', planJsonSchema(), planFormatVersion],
  ['the index of plans', plansJsonSchema(), versionIn(unfinishedIndex)],
])('the title of the schema of %s has the major version that is written', (_, { title }, version) => {
  expect(title).toMatch(new RegExp(`, format ${Number.parseInt(version, 10)}$`));
});
