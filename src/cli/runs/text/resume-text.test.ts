import { expect, test } from 'vitest';
import { changeLines, resumeText } from './resume-text.ts';

const NONE = { changed: [], again: [], added: [], removed: [], settings: [], roles: [], landed: [] };

test('a resumption says what begins again and what is left out', () => {
  const parts = { again: ['write/s2'], skipped: ['sections/s3'], unverified: ['write/s1'], asks: ['sections'] };
  const resumed = { run: 'lit-2', taken: true, ...parts, change: null };
  expect(resumeText(resumed, false).split('\n')).toEqual([
    'lit-2 goes on: llmc show lit-2 --watch',
    'From the beginning: write/s2, and what follows. The earlier results are kept in its archive.',
    'Left out, because it is not complete: sections/s3. The results may have gaps.',
    'Used without a check, and marked unverified: write/s1.',
    'Asks you first, because it does not meet its requirement: sections.',
  ]);
  expect(resumeText({ ...resumed, taken: false }, false)).toContain('llmc up --detach');
  expect(resumeText({ ...resumed, taken: false }, true)).toMatch(/Nothing was changed\.$/);
});

test('a changed workflow says what it does to the run, before it does it', () => {
  expect(changeLines(NONE)).toEqual(['With the changed workflow: nothing begins again.']);
  expect(
    changeLines({
      ...NONE,
      changed: ['check'],
      again: ['check/s1', 'draft'],
      added: ['style'],
      settings: ['sections'],
      roles: ['writer'],
      landed: ['sections/s3'],
    }),
  ).toEqual([
    'With the changed workflow:',
    '    changed: check',
    '    begins again: check/s1, draft',
    '    new: style',
    '    other settings from now on: sections',
    '    roles with other settings from now on: writer',
    '    stays, because it has landed: sections/s3',
    '    The earlier results are kept in its archive.',
  ]);
});
