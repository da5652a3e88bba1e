import { serve } from '../../../src/terraform/protocol/plugin/serve.ts';

await serve(async () => (await import('./null-provider.ts')).nullProvider, {
  address: 'registry.terraform.io/hashicorp/null',
});
