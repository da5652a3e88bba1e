import { describe } from 'vitest';
import { pgliteBackend } from '../../../given/states.ts';
import { describeConformance } from '../conformance.ts';

describe('the state in PGlite', () => describeConformance(pgliteBackend));
