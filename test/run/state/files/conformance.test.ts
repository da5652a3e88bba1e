import { describe } from 'vitest';
import { filesBackend } from '../../../given/states.ts';
import { describeConformance } from '../conformance.ts';

describe('the state in files', () => describeConformance(filesBackend));
