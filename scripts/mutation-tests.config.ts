import { defineConfig } from 'vitest/config';
import { DECISION_TESTS } from './decisions.ts';

/** Stryker runs these tests for each mutant of a decision. */
export default defineConfig({ test: { include: [...DECISION_TESTS], isolate: false } });
