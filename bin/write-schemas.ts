import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plansJsonSchema } from '../src/accounts/plans/plans-index.ts';
import { rolloutEventJsonSchema } from '../src/accounts/rollouts/rollout-event-schema.ts';
import { planJsonSchema } from '../src/core/plan/document/plan-schema.ts';
import { fleetJsonSchema } from '../src/input/schema/json-schema.ts';
import { eventJsonSchema } from '../src/output/review/event-schema.ts';
import { serverApiDocument } from '../src/server/http/open-api.ts';
import { configJsonSchema } from '../src/server/settings/server-section.ts';
import { routes } from '../src/server/start/routes.ts';
import { openApiDocument } from '../src/service/contract/openapi.ts';
import { generate } from './generate.ts';

const folder = join(import.meta.dirname, '..', 'schema');
const documents = {
  'openapi.json': openApiDocument(),
  'fleet.schema.json': fleetJsonSchema(),
  'config.schema.json': configJsonSchema(),
  'plan.schema.json': planJsonSchema(),
  'plans.schema.json': plansJsonSchema(),
  'event.schema.json': eventJsonSchema(),
  'rollout-event.schema.json': rolloutEventJsonSchema(),
  'server-api.json': serverApiDocument(routes),
};

for (const [name, document] of Object.entries(documents)) {
  writeFileSync(join(folder, name), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`wrote schema/${name}`);
}

// The client of the server follows from its API.
generate();
