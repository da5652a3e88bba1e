import { serve } from '../../../../src/terraform/protocol/plugin/serve.ts';
import { providerKit } from '../../../../src/terraform/protocol/provider/provider.ts';
import { defineSchema } from '../../../../src/terraform/protocol/schema/schema.ts';

/** A provider that prints while it is loaded, and crashes when it is configured. */
await serve(
  async () => {
    console.log('loading');
    return providerKit<null>().provider({
      schema: defineSchema({ description: 'A bad one.' }),
      configure: () => {
        setImmediate(() => {
          throw new Error('out of paper');
        });
        return { client: null };
      },
    });
  },
  { address: 'registry.terraform.io/acme/noisy' },
);
