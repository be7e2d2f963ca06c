import { expect, test } from 'vitest';
import { inWords } from './at-up.ts';
import type { TriedOut } from './try-out.ts';

const tried = (changes: Partial<TriedOut>): TriedOut => ({
  ...{ agent: 'claude', adapter: 'claude', version: '2.2.0', outcome: 'passed', why: null, checks: [] },
  ...changes,
});
const check = { evidence: '', took_ms: 0 };

test.each<[Partial<TriedOut>, string]>([
  [{}, 'Canary of claude 2.2.0: passed; llmc reads this version like the recorded ones'],
  [{ outcome: 'not_run', why: 'tmux is not installed' }, 'Canary of claude 2.2.0: did not run: tmux is not installed'],
  [
    {
      outcome: 'failed',
      checks: [
        { ...check, name: 'ready', verdict: 'passed', means: null },
        { ...check, name: 'exit', verdict: 'failed', means: 'llmc ends it by a signal.' },
      ],
    },
    'Canary of claude 2.2.0: failed: exit (llmc ends it by a signal.) See: llmc doctor',
  ],
])('%j is told in one line', (changes, line) => {
  expect(inWords(tried(changes))).toBe(line);
});
