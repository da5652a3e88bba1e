import { join } from 'node:path';
import { buildProvider } from './provider/build-provider.ts';

const folder = join(import.meta.dirname, '../dist/provider');
const { bytes } = await buildProvider(folder);
console.log(`dist/provider: terraform-provider-rampart, with ${bytes} bytes of code`);
