import { expect, test } from 'vitest';
import { chosen, menuLines, resumeChoices } from './resume-menu.ts';

const pause = (partial: readonly string[], notStarted: readonly string[]) => ({
  pause: { since_ms: 0, until_ms: null, complete: [], partial, not_started: notStarted, files: null },
});

test('a paused run can go on, begin something again, skip what is unfinished, show its files, or stay paused', () => {
  const choices = resumeChoices(pause(['write/s2', 'write/s3'], ['sections/s4', 'draft']));
  expect(menuLines(choices)).toEqual([
    '    1  go on where it was (Enter)',
    '    2  go on, with write/s2 from its beginning',
    '    3  go on, with write/s3 from its beginning',
    '    4  skip to draft with what is complete; not recommended: the results may have gaps',
    '    5  list the files',
    '    6  leave it paused',
  ]);
  expect(chosen(choices, '')).toEqual({ kind: 'go_on' });
  expect(chosen(choices, ' 3 ')).toEqual({ kind: 'restart', address: 'write/s3' });
  expect(chosen(choices, '4')).toEqual({ kind: 'skip_to', stage: 'draft' });
});

test.each(['0', '7', 'y', '1x', '-1', '99999'])('the answer %j is asked for again', (answer) => {
  expect(chosen(resumeChoices(pause(['write/s2'], ['draft'])), answer)).toBeUndefined();
});

test('with nothing unfinished there is nothing to begin again or to skip', () => {
  expect(resumeChoices(pause([], ['draft'])).map(({ kind }) => kind)).toEqual(['go_on', 'artifacts', 'leave']);
  expect(resumeChoices(pause(['write/s1'], ['check/s1'])).map(({ kind }) => kind)).toEqual(['go_on', 'restart', 'artifacts', 'leave']);
  expect(
    resumeChoices(
      pause(
        Array.from({ length: 50 }, (_, index) => `write/s${index}`),
        [],
      ),
    ),
  ).toHaveLength(8);
});
