import { describe } from 'vitest';
import { postgresPrograms } from '../../given/postgres.ts';
import { postgresBackend } from '../../given/states.ts';
import { describeConformance } from './conformance.ts';

describe.runIf(postgresPrograms() !== undefined)('the state in a PostgreSQL server', () =>
  describeConformance(postgresBackend),
);
