import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { permissionDialog, questionDialog } from '../dialog.ts';
import { type Entry, FIRST_STATE, type State } from '../model.ts';
import { EMPTY_DRAFT, insertPaste, insertText } from './draft.ts';
import type { Size } from './frame.ts';
import { layout } from './layout.ts';
import { widthOf } from './wrap.ts';

const header = [' ▲ llmc demo agent', ' demo', ' /home/u/project', ''];
const draw = (state: State, size: Size, now = 0) => layout({ state, header, now }, size);
const lines = (state: State, size: Size, now = 0) => draw(state, size, now).rows.map(({ text }) => text);

const SIZES: readonly Size[] = [
  { width: 20, height: 6 },
  { width: 80, height: 24 },
  { width: 220, height: 50 },
  { width: 500, height: 100 },
];

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: 'binary', maxLength: 100 }),
  fc.constant('漢字🎉 '.repeat(90)),
);
const anyEntry: fc.Arbitrary<Entry> = fc.oneof(
  anyText.map((text): Entry => ({ kind: 'prompt', text })),
  anyText.map((text): Entry => ({ kind: 'said', text })),
  fc.tuple(anyText, anyText).map(([title, output]): Entry => ({ kind: 'tool', title, output })),
  anyText.map((message): Entry => ({ kind: 'failed', type: 'rate_limit', message })),
  fc.constant<Entry>({ kind: 'interrupted' }),
);

describe('the picture', () => {
  test('fills the screen exactly and never exceeds it, with any content', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { maxLength: 6 }), anyText, fc.boolean(), fc.constantFrom(...SIZES), (entries, typed, busy, size) => {
        const state: State = { ...FIRST_STATE, entries, draft: insertText(EMPTY_DRAFT, typed), busySince: busy ? 0 : null, queue: [typed] };
        const { rows, cursor } = draw(state, size);
        expect(rows).toHaveLength(size.height);
        for (const { text } of rows) expect(widthOf(text)).toBeLessThanOrEqual(size.width);
        expect(cursor?.row).toBeLessThan(size.height);
        expect(cursor?.column).toBeLessThanOrEqual(size.width);
        expect(rows.map(({ text }) => text).join('')).not.toMatch(/\p{Cc}/u);
      }),
      { numRuns: 60 },
    );
  });

  test.for(SIZES)('shows the box between two rules at the bottom at %j', (size) => {
    const rule = '─'.repeat(size.width);
    expect(lines(FIRST_STATE, size).slice(-4, -1)).toEqual([rule, '❯\u00a0', rule]);
    expect(lines({ ...FIRST_STATE, busySince: 0 }, size).slice(-4, -1)).toEqual([rule, '❯\u00a0', rule]);
  });

  test('says that it is busy, for how long, and what is queued', () => {
    const shown = lines({ ...FIRST_STATE, busySince: 1_000, queue: ['next\nthing'] }, { width: 80, height: 24 }, 4_200);
    expect(shown).toContain('❯ next thing');
    expect(shown.some((line) => /^\S Working… \(3s\)$/.test(line))).toBe(true);
    expect(shown.at(-1)).toContain('· esc to interrupt');
  });

  test('keeps the busy sign when it hints at leaving', () => {
    const shown = lines({ ...FIRST_STATE, busySince: 0, leaveUntil: 10 }, { width: 80, height: 24 }, 5).at(-1);
    expect(shown).toBe('  Press Ctrl-C again to exit · esc to interrupt');
    expect(lines({ ...FIRST_STATE, leaveUntil: 10 }, { width: 80, height: 24 }, 11).at(-1)).not.toContain('Ctrl-C');
  });

  test('counts wide characters twice when it wraps the box', () => {
    const { rows, cursor } = draw({ ...FIRST_STATE, draft: insertText(EMPTY_DRAFT, '漢'.repeat(10)) }, { width: 20, height: 12 });
    expect(rows.slice(-4, -2).map(({ text }) => text)).toEqual([`❯\u00a0${'漢'.repeat(8)}`, '  漢漢']);
    expect(cursor).toEqual({ row: 9, column: 6 });
  });

  test('shows a folded paste by its label', () => {
    const draft = insertPaste(EMPTY_DRAFT, 'x\n'.repeat(30));
    expect(lines({ ...FIRST_STATE, draft }, { width: 80, height: 24 }).at(-3)).toBe('❯\u00a0[Pasted text #1 +30 lines]');
  });

  test.for(SIZES.slice(1))('always shows all choices of a dialog at %j', (size) => {
    const permission = permissionDialog('Bash', 'echo long\n'.repeat(200));
    const shown = lines({ ...FIRST_STATE, dialog: permission }, size);
    expect(shown).toEqual(expect.arrayContaining([' ❯ 1. Yes', '   2. No', ' Enter to choose · Esc to cancel']));
    const question = questionDialog('Why? '.repeat(200), ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'], true);
    expect(lines({ ...FIRST_STATE, dialog: question }, size)).toContain('   9. Type something.');
  });

  test('shows the start and the end of a long prompt', () => {
    const text = Array.from({ length: 300 }, (_, line) => `line ${line}`).join('\n');
    const shown = lines({ ...FIRST_STATE, entries: [{ kind: 'prompt', text }] }, { width: 80, height: 40 });
    expect(shown).toEqual(expect.arrayContaining(['❯ line 0', '  line 5', '  … +288 lines', '  line 294', '  line 299']));
  });

  test('draws no joiner without its second half, because tmux would attach it to the next character', () => {
    const shown = lines({ ...FIRST_STATE, entries: [{ kind: 'said', text: '👩\u200d and 👩\u200d👧' }] }, { width: 80, height: 24 });
    expect(shown).toContain('● 👩 and 👩\u200d👧');
  });
});
