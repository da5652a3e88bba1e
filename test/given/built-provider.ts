import { sourceDigest } from '../../bin/console/source-digest.ts';
import { builtOnce } from './built-once.ts';

/** The folder of the built provider for Terraform, which all test files of a run share. */
export function builtProvider(): Promise<string> {
  const madeOf = sourceDigest(['src', 'bin/provider', 'bin/lean-undici.ts', 'package-lock.json']);
  return builtOnce('provider', madeOf, async (folder) => {
    const { buildProvider } = await import('../../bin/provider/build-provider.ts');
    await buildProvider(folder);
  });
}
