import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../agents/events.ts';
import { anEvent } from '../samples.ts';
import { addReport, hasGoneOn, NOTHING_REPORTED } from './reported.ts';

const started = (
  source: Extract<AgentEvent, { kind: 'session_started' }>['source'],
  conversationId: string | null = 'c-1',
): AgentEvent => ({
  kind: 'session_started',
  conversationId,
  source,
});
const prompt = (text: string): AgentEvent => ({ kind: 'prompt_accepted', text });
const ended = (backgroundTasks = 0): AgentEvent => ({ kind: 'turn_ended', message: 'done', backgroundTasks });
const failed = (changes: Partial<Extract<AgentEvent, { kind: 'turn_failed' }>> = {}): AgentEvent => ({
  kind: 'turn_failed',
  type: 'overloaded',
  recoverable: true,
  message: '529',
  resetsAt: null,
  ...changes,
});
const QUESTION: AgentEvent = { kind: 'question_opened', question: 'Which?', choices: ['a', 'b'] };
const PERMISSION: AgentEvent = { kind: 'permission_opened', tool: 'Bash', question: 'Run it?', choices: [] };
const TOOL: AgentEvent = { kind: 'tool_started', tool: 'Bash' };

const fold = (...events: readonly AgentEvent[]) =>
  events.map((event, index) => anEvent(event, index + 1)).reduce(addReport, NOTHING_REPORTED);

describe('what reports add up to', () => {
  test.each<[string, readonly AgentEvent[], object | undefined]>([
    ['nothing before the first report', [], undefined],
    ['it starts', [started('startup')], { kind: 'starting' }],
    ['it is starting when it resumes a conversation', [started('resume')], { kind: 'starting' }],
    ['it is ready', [started('startup'), { kind: 'ready' }], { kind: 'ready' }],
    ['it works on a prompt', [prompt('a')], { kind: 'processing' }],
    ['it works after an answer', [prompt('a'), QUESTION, { kind: 'dialog_closed' }], { kind: 'processing' }],
    ['it works while a tool runs and after', [prompt('a'), TOOL, { kind: 'tool_finished', tool: 'Bash' }], { kind: 'processing' }],
    ['it asks', [prompt('a'), QUESTION], { kind: 'awaiting_question', question: 'Which?', choices: ['a', 'b'] }],
    ['it wants permission', [prompt('a'), PERMISSION], { kind: 'awaiting_permission', tool: 'Bash' }],
    ['it is ready after its turn', [prompt('a'), ended()], { kind: 'ready' }],
    ['it is not done while a background task runs', [prompt('a'), ended(1)], { kind: 'processing', detail: 'background' }],
    ['it failed', [prompt('a'), failed()], { kind: 'error', type: 'overloaded', recoverable: true }],
    [
      'it waits for a limit whose end is known',
      [prompt('a'), failed({ type: 'rate_limit', resetsAt: 9 })],
      { kind: 'waiting_limit', resetsAt: 9 },
    ],
    [
      'it still waits for the limit when it reports that it is idle',
      [prompt('a'), failed({ type: 'rate_limit', resetsAt: 9 }), { kind: 'ready' }],
      { kind: 'waiting_limit', resetsAt: 9 },
    ],
    [
      'it still shows its failed turn when it reports a minute later that it is idle',
      [prompt('a'), failed(), { kind: 'ready' }],
      { kind: 'error', type: 'overloaded', recoverable: true },
    ],
    ['it waits for a limit whose end is unknown', [prompt('a'), failed({ type: 'rate_limit' })], { kind: 'waiting_limit', resetsAt: null }],
    ['it is ready after its conversation was cleared', [prompt('a'), ended(), started('clear')], { kind: 'ready' }],
    ['it keeps working while its conversation is compacted', [prompt('a'), started('compact')], { kind: 'processing' }],
    [
      'the end of a session is not evidence about the process',
      [prompt('a'), { kind: 'session_ended', reason: 'clear' }],
      { kind: 'processing' },
    ],
  ])('%s', (_, events, activity) => {
    const { latest } = fold(...events);
    if (activity === undefined) expect(latest).toBeNull();
    else expect(latest?.activity).toMatchObject(activity);
  });

  test('the latest report has its name and time', () => {
    expect(fold(started('startup'), TOOL).latest).toMatchObject({ seq: 2, at: 2_000, event: 'tool_started' });
  });

  test.each<[string, readonly AgentEvent[], number]>([
    ['none at first', [started('startup')], 0],
    ['each prompt counts', [started('startup'), prompt('a'), ended(), prompt('b')], 2],
    ['none after a clear', [prompt('a'), started('clear', 'c-2')], 0],
    ['a resumed conversation holds something', [started('resume')], 1],
    ['compacting empties nothing', [prompt('a'), started('compact')], 1],
  ])('prompts in the conversation: %s', (_, events, count) => {
    expect(fold(...events).promptsInConversation).toBe(count);
  });

  test('the conversation is the one named last', () => {
    expect(fold(started('startup', 'c-1'), started('clear', 'c-2')).conversationId).toBe('c-2');
    expect(fold(started('startup', 'c-1'), started('compact', 'c-3')).conversationId).toBe('c-3');
    expect(fold(started('startup', 'c-1'), started('resume', null)).conversationId).toBe('c-1');
  });

  test('a turn that continues in the background has not ended', () => {
    expect(fold(prompt('a'), ended(2)).lastTurn).toBeNull();
    expect(fold(prompt('a'), ended(2), ended()).lastTurn?.seq).toBe(3);
    expect(fold(prompt('a'), failed()).lastTurn?.seq).toBe(2);
  });
});

describe('whatever is reported', () => {
  const events: readonly AgentEvent[] = [
    ...(['startup', 'resume', 'clear', 'compact', 'fork'] as const).map((source) => started(source)),
    { kind: 'ready' } as const,
    prompt('a'),
    prompt('b'),
    TOOL,
    QUESTION,
    PERMISSION,
    { kind: 'dialog_closed' } as const,
    ended(),
    ended(1),
    failed(),
    failed({ type: 'rate_limit', resetsAt: 5 }),
    { kind: 'session_ended', reason: 'x' } as const,
  ];
  const history = fc.array(fc.constantFrom<AgentEvent>(...events), { maxLength: 60 });

  test('an ignored report changes nothing but the time of the last one', () => {
    fc.assert(
      fc.property(history, fc.nat(), (all, at) => {
        const recorded = all.map((event, index) => anEvent(event, index + 1));
        const noise = anEvent({ kind: 'ignored' }, 99, 99);
        const noisy = recorded.toSpliced(at % (recorded.length + 1), 0, noise);
        const expected = recorded.reduce(addReport, NOTHING_REPORTED);
        expect(noisy.reduce(addReport, NOTHING_REPORTED)).toEqual({ ...expected, at: Math.max(expected.at ?? 0, 99) });
      }),
    );
  });

  test('the last accepted prompts are kept in order, and only a few', () => {
    fc.assert(
      fc.property(history, (all) => {
        const { accepted } = fold(...all);
        const prompts = all.flatMap((event, index) => (event.kind === 'prompt_accepted' ? [{ seq: index + 1, text: event.text }] : []));
        expect(accepted.map(({ seq, text }) => ({ seq, text }))).toEqual(prompts.slice(-20));
      }),
    );
  });

  test('a supervisor that reads all reports again reaches the same state as one that received them', () => {
    fc.assert(
      fc.property(history, fc.nat(), (all, cut) => {
        const recorded = all.map((event, index) => anEvent(event, index + 1));
        const at = cut % (recorded.length + 1);
        const before = recorded.slice(0, at).reduce(addReport, NOTHING_REPORTED);
        expect(recorded.slice(at).reduce(addReport, before)).toEqual(recorded.reduce(addReport, NOTHING_REPORTED));
      }),
    );
  });
});

describe('that the agent went on from a permission', () => {
  const asked = { kind: 'awaiting_permission', tool: 'Bash', question: 'Run it?', choices: [] } as const;
  const finished = (tool: string): AgentEvent => ({ kind: 'tool_finished', tool });

  test.each<[string, AgentEvent, boolean]>([
    ['the end of a tool that runs beside it', finished('Read'), false],
    ['the begin of a tool', TOOL, false],
    ['a compaction', started('compact'), false],
    ['the end of its own tool', finished('Bash'), true],
    ['the next dialog, also in the same words', PERMISSION, true],
    ['the end of a dialog', { kind: 'dialog_closed' }, true],
    ['the end of the turn', ended(), true],
  ])('%s: %s shows it', (_, event, isShown) => {
    const before = fold(prompt('a'), finished('Bash'), PERMISSION);
    expect(hasGoneOn(before, addReport(before, anEvent(event, 9)), asked)).toBe(isShown);
  });

  test('the end of a tool does not answer a question', () => {
    const before = fold(prompt('a'), QUESTION);
    const question = { kind: 'awaiting_question', questionType: 'multiple_choice', question: 'Which?', choices: ['a', 'b'] } as const;
    expect(hasGoneOn(before, addReport(before, anEvent(finished('Bash'), 9)), question)).toBe(false);
  });
});
