import { defineSchema, validator } from '../../protocol/schema/schema.ts';
import { isPresent } from '../../protocol/value/value.ts';
import { durationMs, isDuration } from '../connection/duration.ts';
import { hostIdFaults, kit, withService } from '../service.ts';

const kinds = ['hardware', 'system'];

const areKinds = validator<readonly unknown[]>('any of "hardware" and "system"', (given) =>
  given.every((each) => !isPresent(each) || kinds.includes(each as string)),
);

const inventoryPullSchema = defineSchema({
  description:
    'Fetches the hardware and system inventory of hosts and stores it, as `rampart hosts inventory pull` does: in the `state_dir` of the provider, or in its shared state. Rules, expressions and data sources then read it from there. The service creates about one report a minute, with 50 hosts in each. Each page is stored on arrival, so that the next pull continues an interrupted one.',
  attributes: {
    host_ids: {
      type: { set: 'string' },
      optional: true,
      description: 'The ids of the hosts. Default: all hosts of the account.',
    },
    kinds: {
      type: { set: 'string' },
      optional: true,
      description: 'Any of `hardware` and `system`. Default: both.',
      validate: [areKinds],
    },
    fields: {
      type: { set: 'string' },
      optional: true,
      description:
        'The fields, spelled as in the service. They require exactly one of the `kinds`. Default: all.',
    },
    max_age: {
      type: 'string',
      optional: true,
      description: 'Skip inventory that is younger than this, such as `12h`. Default: fetch everything.',
      validate: [isDuration],
    },
  },
  rules: [
    {
      description: '`fields` needs exactly one of the `kinds`',
      check: ({ fields = null, kinds: given = null }) =>
        isPresent(fields) && (given === null || (Array.isArray(given) && given.length !== 1))
          ? { attribute: 'fields', fault: 'needs exactly one of the kinds' }
          : null,
    },
  ],
});

const pulling = () => import('./pull-inventory.ts');

export const inventoryPull = kit.action({
  schema: inventoryPullSchema,
  validate: ({ host_ids }) => hostIdFaults(host_ids),
  plan: async (_config, { client }) =>
    client.service.ok ? (await pulling()).checkPlace(client.service.value) : {},
  invoke: (config, call) =>
    withService(call, async (service) =>
      (await pulling()).pullInventory(
        service,
        { ...config, maxAgeMs: durationMs(config.max_age) ?? 0 },
        call,
      ),
    ),
});
