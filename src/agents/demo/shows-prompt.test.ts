import { describe, expect, test } from 'vitest';
import { screenFromText } from '../../terminal/screen.ts';
import { showsPrompt } from './shows-prompt.ts';
import { type Entry, FIRST_STATE, type State } from './tui/model.ts';
import { EMPTY_DRAFT, insertText } from './tui/screen/draft.ts';
import { layout } from './tui/screen/layout.ts';

function picture(state: Partial<State>, height = 24) {
  const size = { width: 80, height };
  const { rows } = layout({ state: { ...FIRST_STATE, ...state }, header: [' ▲ llmc demo agent', ''], now: 0 }, size);
  return screenFromText(rows.map(({ text }) => text).join('\n'), size);
}

const given = (text: string): Entry => ({ kind: 'prompt', text });
const preamble = Array.from({ length: 20 }, (_, line) => `You are a worker, and rule ${line} is to be careful.`).join('\n');
const long = `${preamble}\n\n## Task\n\nAdd the first page, with ${'many '.repeat(40)}words`;

describe('a prompt on the screen', () => {
  test.for([
    'short',
    'with 漢字 and 🎉👩‍👩‍👧 in it',
    'tab\there',
    'two\n\nparagraphs',
    'word '.repeat(100),
    long,
    `${long}\n${'x'.repeat(200_000)} end`,
  ])('is recognised: %j', (text) => {
    expect(showsPrompt(picture({ entries: [given(text), { kind: 'said', text: 'on it' }] }), text)).toBe(true);
  });

  test('is not mistaken for another with the same beginning', () => {
    expect(showsPrompt(picture({ entries: [given(long)] }), `${long} and more`)).toBe(false);
    expect(showsPrompt(picture({ entries: [given(`${preamble}\nfirst`)] }), `${preamble}\nsecond`)).toBe(false);
    expect(showsPrompt(picture({ entries: [given('short and more')] }), 'short')).toBe(false);
  });

  test('does not count in the box, in a reply or in an output', () => {
    expect(showsPrompt(picture({ draft: insertText(EMPTY_DRAFT, 'hello') }), 'hello')).toBe(false);
    expect(showsPrompt(picture({ entries: [{ kind: 'said', text: 'hello' }] }), 'hello')).toBe(false);
    expect(showsPrompt(picture({ entries: [{ kind: 'tool', title: 'Bash', output: '❯ hello\nhello' }] }), 'hello')).toBe(false);
    expect(showsPrompt(picture({}), '')).toBe(false);
  });

  test('counts in the queue when it is shown whole', () => {
    expect(showsPrompt(picture({ busySince: 0, queue: ['hello'] }), 'hello')).toBe(true);
    expect(showsPrompt(picture({ busySince: 0, queue: [long] }), `${preamble}\nanother task`)).toBe(false);
  });

  test('is recognised by its end when the start has scrolled away', () => {
    const entries: Entry[] = [given(long), { kind: 'said', text: 'a line\n'.repeat(12) }];
    expect(showsPrompt(picture({ entries }), long)).toBe(true);
    expect(showsPrompt(picture({ entries }), `${preamble}\nanother task, quite long enough to compare`)).toBe(false);
  });
});
