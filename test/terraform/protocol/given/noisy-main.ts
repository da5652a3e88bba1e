import { servePlugin } from '../../../../src/terraform/protocol/plugin/serve.ts';
import { providerKit } from '../../../../src/terraform/protocol/provider/provider.ts';
import { defineSchema } from '../../../../src/terraform/protocol/schema/schema.ts';

const kit = providerKit<null>();

/** A provider that prints while it is loaded, and crashes when it is configured. */
await servePlugin(
  async () => {
    console.log('loading');
    return kit.provider({
      schema: defineSchema({ description: 'A bad one.' }),
      configure: () =>
        new Promise(() => {
          setImmediate(() => {
            throw new Error('out of paper');
          });
        }),
      resources: {
        noisy_thing: kit.resource({
          schema: defineSchema({ description: 'Nothing.' }),
          create: () => ({ state: {} }),
          read: () => ({ state: {} }),
          update: () => ({ state: {} }),
          delete: () => ({}),
        }),
      },
    });
  },
  { address: 'registry.terraform.io/acme/noisy' },
);
