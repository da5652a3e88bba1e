import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(import.meta.dirname, '..');
const configFile = join(root, 'config/api-extractor.json');
/** Compares with the reports in config/api instead of writing them, and expects a build. */
const onlyChecks = process.argv.includes('--check');

/** The types of each entry point of the package, by the name of its report. */
const entryPoints = {
  rampart: 'dist/index.d.ts',
  'rampart-cdktf': 'dist/cdktf/index.d.ts',
  'rampart-client': 'dist/api/client/index.d.ts',
} as const;

if (!onlyChecks) {
  const { status } = spawnSync('node', ['bin/build.ts'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const config = ExtractorConfig.loadFile(configFile);
for (const [reportFileName, entry] of Object.entries(entryPoints)) {
  const { succeeded } = Extractor.invoke(
    ExtractorConfig.prepare({
      configObject: {
        ...config,
        mainEntryPointFilePath: join(root, entry),
        apiReport: { enabled: true, ...config.apiReport, reportFileName },
      },
      configObjectFullPath: configFile,
      packageJsonFullPath: join(root, 'package.json'),
    }),
    { localBuild: !onlyChecks },
  );
  if (!succeeded) process.exitCode = 1;
}
