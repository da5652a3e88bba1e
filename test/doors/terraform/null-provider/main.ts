import { serve } from '../../../../src/doors/terraform/protocol/plugin/serve.ts';

await serve(async () => (await import('./null-provider.ts')).nullProvider, {
  address: 'registry.terraform.io/hashicorp/null',
});
