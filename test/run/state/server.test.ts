import { describe } from 'vitest';
import { hasPostgres } from '../../given/postgres.ts';
import { postgresBackend } from '../../given/states.ts';
import { describeConformance } from './conformance.ts';

describe.runIf(hasPostgres)('the state in a PostgreSQL server', () => describeConformance(postgresBackend));
