import { describe, expect, test } from 'vitest';
import { hiddenIn } from '../../base/visible-text.ts';
import type { Said } from '../../supervisor/report/conversation.ts';
import { widthOfLine } from '../screen/fit.ts';
import type { Line } from '../screen/line.ts';
import { drawConversation } from './draw-conversation.ts';
import { drawLog } from './draw-log.ts';
import { drawWhy } from './draw-why.ts';

const NOW = new Date('2026-11-16T14:05:00').getTime();
const texts = (lines: readonly Line[]) => lines.map((line) => line.map(({ text }) => text).join(''));
const size = (columns: number) => ({ columns, rows: 10 });
const HOSTILE = 'rm \u001b[2J\u001b]0;title\u0007 \u202etxt.exe\u200b 漢字漢字漢字 👩‍👩‍👧 \r\n\tindented\n'.repeat(3);

const SAID: readonly Said[] = [
  { at_ms: NOW - 300_000, who: 'person', text: 'Fix the typo', purpose: 'task', state: null },
  { at_ms: NOW - 60_000, who: 'agent', text: 'Fixed it.\n\nTwo words changed.', purpose: null, state: null },
  { at_ms: NOW - 5_000, who: 'llmc', text: 'Go on', purpose: 'continue', state: 'waiting' },
];

test('a conversation, the newest at the end', () => {
  expect(texts(drawConversation(SAID, size(30), NOW))).toEqual([
    'you (task)  5m ago',
    '  Fix the typo',
    '',
    'agent  1m ago',
    '  Fixed it.',
    '  ',
    '  Two words changed.',
    '',
    'llmc (continue)  5s ago  not …',
    '  Go on',
  ]);
  expect(texts(drawConversation([], size(30), NOW))).toEqual(['Nothing was said yet.']);
});

test('why in three sentences, and everything with the evidence', () => {
  const why = {
    inShort: ['adam is working.', 'Its agent works.', '→ wait'],
    evidence: ['adam is working.', '', 'Evidence', '  hook'],
  };
  expect(texts(drawWhy(why, size(40), false))).toEqual(['adam is working.', 'Its agent works.', '→ wait']);
  expect(texts(drawWhy(why, size(40), true))).toEqual(why.evidence);
  expect(drawWhy(why, size(40), false)[2]).toEqual([{ text: '→ wait', style: { bold: true } }]);
});

test('a log, the newest at the end, with further lines below the text', () => {
  const entries = [
    { at: NOW - 60_000, worker: 'adam', kind: 'launch', summary: 'started' },
    { at: NOW, worker: 'adam', kind: 'deliver', summary: 'the prompt is with the agent' },
  ];
  expect(texts(drawLog(entries, size(26), NOW))).toEqual(['14:04 launch: started', '14:05 deliver: the prompt', '      is with the agent']);
});

describe.each([8, 20, 60, 200])('in %i columns, a hostile text', (columns) => {
  const drawn: readonly (readonly [string, readonly Line[]])[] = [
    ['conversation', drawConversation([{ at_ms: 0, who: 'agent', text: HOSTILE, purpose: null, state: 'failed' }], size(columns), NOW)],
    ['why', drawWhy({ inShort: [HOSTILE], evidence: [] }, size(columns), false)],
    ['log', drawLog([{ at: NOW, worker: null, kind: 'x', summary: HOSTILE }], size(columns), NOW)],
  ];
  test.each(drawn)('is not executed, and fits (%s)', (_, lines) => {
    expect(texts(lines).flatMap(hiddenIn)).toEqual([]);
    expect(texts(lines).join('')).not.toMatch(/[\t\n]/);
    expect(Math.max(...lines.map(widthOfLine))).toBeLessThanOrEqual(columns);
  });
});
