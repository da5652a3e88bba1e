import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(import.meta.dirname, '..');
const configFile = join(root, 'config/api-extractor.json');
/** What tsc declares, a file for each source. */
const declared = '.cache/types';

/** The types of each entry of the package with types of its own: its file in `dist/lib`, and its report in `config/api`. */
const entries = [
  { name: 'index', report: 'rampart', declared: 'index.d.ts' },
  { name: 'cdktf', report: 'rampart-cdktf', declared: 'cdktf/index.d.ts' },
  { name: 'client', report: 'rampart-client', declared: 'api/client/index.d.ts' },
] as const;

/**
 * From the declarations of tsc, writes the public types of each entry as one file, or the report of its public API, or
 * compares that report with the one in `config/api`. Returns whether all succeeded.
 */
export function extractTypes(what: 'types' | 'reports' | 'compare'): boolean {
  const config = ExtractorConfig.loadFile(configFile);
  mkdirSync(join(root, 'dist/lib'), { recursive: true });
  const results = entries.map(({ name, report, declared: file }) =>
    Extractor.invoke(
      ExtractorConfig.prepare({
        configObject: {
          ...config,
          mainEntryPointFilePath: join(root, declared, file),
          apiReport: { ...config.apiReport, enabled: what !== 'types', reportFileName: report },
          dtsRollup: {
            enabled: what === 'types',
            publicTrimmedFilePath: join(root, `dist/lib/${name}.d.ts`),
          },
        },
        configObjectFullPath: configFile,
        packageJsonFullPath: join(root, 'package.json'),
      }),
      { localBuild: what !== 'compare' },
    ),
  );
  // It has no types: importing it is its effect.
  if (what === 'types') writeFileSync(join(root, 'dist/lib/cdktf-on-cdktn.d.ts'), 'export {};\n');
  return results.every(({ succeeded }) => succeeded);
}
