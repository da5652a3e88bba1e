import { servePlugin } from '../../../src/terraform/protocol/plugin/serve.ts';

await servePlugin(async () => (await import('./null-provider.ts')).nullProvider, {
  address: 'registry.terraform.io/hashicorp/null',
});
