import type { Row } from './judge.ts';

const core = ['core/problem', 'core/lib', 'core/columns', 'core/model', 'core/expression', 'core/plan'];
const service = [
  'service/contract',
  'service/client',
  'service/wire',
  'service/emulator',
  'service/inventory',
];
const output = ['output/review', 'output/page'];
const run = ['run/state', 'run/apply', 'run/telemetry'];
const control = ['control/accounts', 'control/plans', 'control/waves'];

/**
 * The house from the ground up: seven groups, and the folders of each in their order. A row imports only from rows before
 * it.
 */
export const house: readonly Row[] = [
  { folder: 'core/problem', pure: true, imports: [], packages: [] },
  {
    folder: 'core/lib',
    pure: true,
    imports: ['core/problem'],
    packages: ['@noble/hashes'],
    exceptions: { 'core/lib/virtual-clock.ts': ['setImmediate'] },
  },
  {
    folder: 'core/columns',
    pure: true,
    imports: ['core/lib'],
    packages: [],
    exceptions: { 'core/columns/fleet-list/scan-fleet-list.ts': ['node:buffer'] },
  },
  {
    folder: 'core/model',
    pure: true,
    imports: ['core/problem', 'core/lib', 'core/columns'],
    packages: ['zod', 'temporal-polyfill'],
  },
  {
    folder: 'core/expression',
    pure: true,
    imports: ['core/problem', 'core/lib', 'core/model'],
    packages: ['@bufbuild/cel', '@bufbuild/re2'],
  },
  {
    folder: 'core/plan',
    rooms: ['types', 'intents', 'difference', 'ordering', 'guards', 'document', 'drift', 'undo'],
    pure: true,
    imports: ['core/problem', 'core/lib', 'core/columns', 'core/model', 'core/expression'],
    packages: ['zod'],
  },
  {
    folder: 'input',
    rooms: [
      'schema',
      'sources',
      'values',
      'yaml',
      'typescript',
      'entries',
      'csv',
      'rules',
      'policy',
      'claims',
      'writing',
      'plan-tests',
    ],
    imports: ['core/problem', 'core/lib', 'core/columns', 'core/model', 'core/expression'],
    packages: ['yaml', 'zod', 'csv-parse', 'csv-stringify'],
    exceptions: { 'input/typescript/script-child.ts': ['an import that is computed'] },
  },
  { folder: 'service/contract', imports: ['core/problem', 'core/lib'], packages: ['zod'] },
  {
    folder: 'service/client',
    imports: ['core/problem', 'core/lib', 'service/contract'],
    packages: ['undici'],
  },
  {
    folder: 'service/wire',
    imports: [
      'core/problem',
      'core/lib',
      'core/columns',
      'core/model',
      'core/plan',
      'service/contract',
      'service/client',
    ],
    packages: [],
  },
  {
    folder: 'service/emulator',
    imports: ['core/problem', 'core/lib', 'service/contract'],
    packages: ['yaml', 'zod'],
  },
  {
    folder: 'service/inventory',
    imports: ['core/problem', 'core/lib', 'core/model', 'service/contract', 'service/client', 'service/wire'],
    packages: ['zod'],
  },
  {
    folder: 'output/review',
    pure: true,
    imports: ['core/problem', 'core/lib', 'core/model', 'core/plan'],
    packages: ['csv-stringify', 'zod'],
  },
  {
    folder: 'output/page',
    pure: true,
    imports: ['core/problem', 'core/lib', 'core/model', 'core/plan', 'output/review'],
    packages: [],
  },
  {
    folder: 'run/state',
    rooms: ['journal', 'origin', 'lease', 'audit', 'rollout', 'interface', 'files', 'postgres'],
    imports: [
      'core/problem',
      'core/lib',
      'core/model',
      'core/plan',
      'service/contract',
      'service/client',
      'service/inventory',
    ],
    packages: ['zod', 'kysely', 'pg'],
  },
  {
    folder: 'run/apply',
    imports: [
      'core/problem',
      'core/lib',
      'core/model',
      'core/plan',
      'service/contract',
      'service/client',
      'service/wire',
      'service/emulator',
      'run/state',
    ],
    packages: [],
  },
  {
    folder: 'run/telemetry',
    imports: ['core/problem', 'core/lib', 'core/model'],
    packages: [
      'pino',
      '@opentelemetry/api',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace',
    ],
  },
  {
    folder: 'control/accounts',
    imports: [
      'core/problem',
      'core/lib',
      'core/model',
      'core/expression',
      'input',
      'service/contract',
      'service/client',
      'run/state',
    ],
    packages: ['zod'],
  },
  {
    folder: 'control/plans',
    imports: [...core, ...output, 'run/state', 'control/accounts'],
    packages: ['zod'],
  },
  {
    folder: 'control/waves',
    imports: [
      'core/problem',
      'core/lib',
      'core/model',
      'core/plan',
      'core/expression',
      ...output,
      'run/state',
      'control/accounts',
      'control/plans',
    ],
    packages: ['zod'],
  },
  {
    folder: 'doors/cli',
    imports: [...core, 'input', ...service, ...output, ...run, ...control],
    packages: ['commander', 'yaml', 'zod'],
  },
  {
    folder: 'doors/action',
    imports: [
      'core/problem',
      'core/lib',
      'core/plan',
      'input',
      ...output,
      'run/state',
      ...control,
      'doors/cli',
    ],
    packages: ['@actions/core', '@octokit/rest'],
  },
  {
    folder: 'doors/terraform',
    imports: [...core, 'input', ...service, ...output, ...run],
    packages: ['@grpc/grpc-js', '@bufbuild/protobuf', '@msgpack/msgpack'],
  },
  {
    folder: 'doors/cdktf',
    imports: ['core/problem', 'core/lib', 'core/model', 'input'],
    packages: ['cdktf', 'constructs', '@cdktf/provider-null'],
  },
];
