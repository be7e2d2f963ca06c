import { describe, expect, test } from 'vitest';
import { timeBox } from '../../system/time-box.ts';
import { screenFromText } from '../../terminal/screen.ts';
import type { InputBox } from '../agent.ts';
import { declaredAgent } from './adapter.ts';
import type { AgentDeclaration } from './declaration.ts';

/** A CLI with a framed box, in the manner of several. */
const FRAMED: AgentDeclaration = {
  ready: ['^ *\\? for help'],
  busy: ['esc to stop'],
  dialog: ['^ *Allow .*\\?$', 'Press y or n'],
  box: '^│ > (?:Type here|(.*?)) *│$',
  boxMore: '^│   (.*?) *│$',
  folded: '^\\[Pasted (\\d+) lines\\]$',
};
const agent = (changes: Partial<AgentDeclaration> = {}, limitMs = 2_000) =>
  declaredAgent('mine', { ...FRAMED, ...changes }, (work) => timeBox(limitMs, work));
const screen = (...lines: string[]) => screenFromText(lines.join('\n'));
const framed = (...rows: string[]) => [
  '╭──────────────────────╮',
  ...rows.map((row) => `│ ${row.padEnd(20)} │`),
  '╰──────────────────────╯',
];
const FOOT = '  ? for help';

describe('how a screen is classified', () => {
  test.each<[string, readonly string[], string, string]>([
    ['the foot of a box', [...framed('> '), FOOT], 'ready', 'ready[0] matches "? for help"'],
    ['a busy mark above the foot of a box', ['  esc to stop (3s)', ...framed('> '), FOOT], 'processing', 'busy[0] matches "esc to stop"'],
    [
      'a dialog above both',
      ['  esc to stop (3s)', '  Allow rm?', ...framed('> '), FOOT],
      'awaiting_question',
      'dialog[0] matches "Allow rm?"',
    ],
    ['the second pattern of a list', ['Press y or n'], 'awaiting_question', 'dialog[1] matches "Press y or n"'],
    ['the lowest of several lines', ['Allow a?', 'Allow b?'], 'awaiting_question', 'dialog[0] matches "Allow b?"'],
    ['nothing', ['', ''], 'starting', 'the screen is empty'],
    ['something else', ['Loading'], 'unknown', 'no pattern of dialog, busy or ready matches'],
    ['a ready mark without a box', [FOOT], 'unknown', 'ready[0] matches "? for help", but no line matches box'],
    ['a match too long to repeat', [`Allow ${'x'.repeat(200)}?`], 'awaiting_question', `dialog[0] matches "Allow ${'x'.repeat(74)}…"`],
    ['a line beyond all measure', [`esc to stop ${'x'.repeat(5_000)}`], 'processing', 'busy[0] matches "esc to stop"'],
  ])('%s', (_, lines, kind, rule) => {
    expect(agent().classify(screen(...lines))).toMatchObject({ activity: { kind }, rule });
  });

  test('a dialog is one that llmc has no keys for', () => {
    const open = screen('Allow rm?');
    expect(agent().classify(open).activity).toEqual({
      kind: 'awaiting_question',
      questionType: 'unread',
      question: 'Allow rm?',
      choices: [],
    });
    expect(agent().startupStep(open)).toBeUndefined();
    expect(agent().answerStep(open, 'y')).toBeUndefined();
  });
});

describe('the text of the box', () => {
  test.each<[string, readonly string[], InputBox]>([
    ['nothing', framed('> '), { kind: 'empty' }],
    ['a placeholder the group leaves out', framed('> Type here'), { kind: 'empty' }],
    ['a line', framed('> Fix it'), { kind: 'text', text: 'Fix it' }],
    ['several lines, one of them empty', framed('> Fix', '', '  it'), { kind: 'text', text: 'Fix\n\nit' }],
    ['a folded paste', framed('> [Pasted 12 lines]'), { kind: 'folded', text: '[Pasted 12 lines]', moreLines: 12 }],
    ['the lower of two boxes', [...framed('> old'), ...framed('> new')], { kind: 'text', text: 'new' }],
    ['no box', ['> Fix it'], { kind: 'absent' }],
  ])('%s', (_, lines, box) => {
    expect(agent({ boxMore: '^│ {2,}(.*?) *│$' }).classify(screen(...lines, FOOT)).box).toEqual(box);
  });

  test('further lines count as far as they match, and only with a pattern for them', () => {
    const lines = ['────', '> one', '  two', '', '  three', '────', '  ? for help'];
    const read = (boxMore: string | undefined) => agent({ box: '^> ?(.*)$', boxMore }).classify(screen(...lines)).box;
    expect(read('^(?:  (.*))?$')).toEqual({ kind: 'text', text: 'one\ntwo\n\nthree' });
    expect(read(undefined)).toEqual({ kind: 'text', text: 'one' });
  });

  test('rows that all bear the same mark are one box, apart from an earlier block', () => {
    const barred = agent({ box: '^┃(?:  (?:Build · .*|(.*)))?$', boxMore: undefined });
    const lines = ['┃', '┃  an earlier prompt', '┃', '', '┃', '┃  one', '┃  two', '┃', '┃  Build · One', '╹▀▀▀', '  ? for help'];
    expect(barred.classify(screen(...lines)).box).toEqual({ kind: 'text', text: 'one\ntwo' });
  });
});

describe('whether the conversation shows a prompt', () => {
  const shows = (text: string, ...lines: string[]) => agent().showsPrompt(screen(...lines, ...framed('> '), FOOT), text);

  test('a wrapped and framed prompt counts', () => {
    expect(shows('Write a line about the sea\nand one more', '│ Write a line about  │', '│ the sea', '│ and one more │')).toBe(true);
  });

  test.each([
    ['another prompt', 'Write a line about the sea and wind', ['Write a line about the sea']],
    ['a prompt too short to be distinguished', 'yes, do it', ['yes, do it']],
  ])('%s does not count', (_, text, lines) => {
    expect(shows(text, ...lines)).toBe(false);
  });

  test('does not count in the input box, or without a visible input box', () => {
    const text = 'Write a line about the sea';
    const wide = [`│ > ${text} │`];
    expect(agent().showsPrompt(screen(...wide, FOOT), text)).toBe(false);
    expect(agent().showsPrompt(screen(text, FOOT), text)).toBe(false);
  });
});

describe('a pattern that would run for years', () => {
  let stopped = 0;
  const slow = declaredAgent('mine', { ...FRAMED, busy: ['esc to stop', '^(a+)+$'] }, (work) => {
    const result = timeBox(100, work);
    if (result === undefined) stopped += 1;
    return result;
  });
  const evil = screen('a'.repeat(100).concat('!'), ...framed('> '), FOOT);

  test('is stopped, named, and not tried again', () => {
    const rule = 'the pattern busy[1] takes too long; write it without nested repeats';
    expect(slow.classify(evil)).toMatchObject({ activity: { kind: 'unknown' }, rule, box: { kind: 'absent' } });
    const before = stopped;
    for (let round = 0; round < 100; round += 1) expect(slow.classify(evil).rule).toBe(rule);
    expect(slow.showsPrompt(evil, 'a'.repeat(100))).toBe(false);
    expect(before).toBeGreaterThan(0);
    expect(stopped).toBe(before);
  });
});

test('a stalled machine does not count against the patterns', () => {
  let calls = 0;
  const shaken = declaredAgent('mine', FRAMED, (work) => {
    calls += 1;
    return calls === 1 ? undefined : work();
  });
  expect(shaken.classify(screen(...framed('> '), FOOT))).toMatchObject({ activity: { kind: 'ready' } });
});

test('a machine that stalls again while the slow pattern is looked for condemns none', () => {
  let calls = 0;
  const shaken = declaredAgent('mine', FRAMED, (work) => {
    calls += 1;
    return calls <= 2 ? undefined : work();
  });
  const shown = screen(...framed('> '), FOOT);
  expect([shaken.classify(shown), shaken.classify(shown)]).toMatchObject([
    { activity: { kind: 'ready' } },
    { activity: { kind: 'ready' } },
  ]);
});

describe('the launch', () => {
  const request = {
    worker: 'adam',
    root: '/r',
    worktree: '/r/.worktrees/adam',
    repository: '/r/sandbox/adam/git',
    spool: '/r/events/adam',
    scratch: '/r/run/workers/adam',
    incarnation: 3,
    command: 'mine',
    args: ['--yes', '-m={model}', '{"json": "{id}"}'],
    model: 'one',
    rolePrompt: '$& you',
    skipPermissions: true,
    allowedTools: [],
  };
  const words = { startArgs: ['--role', '{role_prompt}', '--id', '{id}'], resumeArgs: ['--resume', '{id}', '--cd', '{worktree}'] };

  test('of a new conversation', () => {
    const { argv, env } = agent(words).launch({ ...request, conversation: { kind: 'fresh', id: 'c1' } });
    expect(argv).toEqual(['mine', '--yes', '-m=one', '{"json": "c1"}', '--role', '$& you', '--id', 'c1']);
    expect(env).toEqual({
      LLMC_WORKER: 'adam',
      LLMC_ROOT: '/r',
      LLMC_SPOOL: '/r/events/adam',
      LLMC_INCARNATION: '3',
      LLMC_SCRATCH: '/r/run/workers/adam',
    });
  });

  test('of a resumed conversation', () => {
    const { argv } = agent(words).launch({ ...request, conversation: { kind: 'resume', id: 'c1' } });
    expect(argv).toEqual(['mine', '--yes', '-m=one', '{"json": "c1"}', '--resume', 'c1', '--cd', '/r/.worktrees/adam']);
  });

  test('can resume a conversation only if the declaration says how', () => {
    expect(agent(words).resumes).toBe(true);
    expect(agent().resumes).toBe(false);
  });
});

describe('a text that is typed', () => {
  test.each([
    ['as it is', 'Fix the typo in a/b.ts', 'Fix the typo in a/b.ts'],
    ['without blanks at the end', 'Fix it \n\n', 'Fix it'],
    ['with one kind of line break, and without escape bytes', 'a\r\nb\rc\u001b[201~', 'a\nb\nc[201~'],
    ['under a line of its own when it could be a command', '/quit', 'Message:\n/quit'],
    ['also after blanks', '  !rm -r x', 'Message:\n  !rm -r x'],
    ['also when it is a word that exits', 'Exit', 'Message:\nExit'],
    ['with a blank after a last backslash', 'C:\\', 'C:\\ '],
  ])('%s', (_, text, typed) => {
    expect(agent().makeSafe(text).text).toBe(typed);
    expect(agent().normalise(agent().makeSafe(text).text)).toBe(typed.trimEnd());
  });

  test('the changes are reported', () => {
    expect(agent().makeSafe('fine').changes).toEqual([]);
    expect(agent().makeSafe('/x\r\n').changes).toHaveLength(3);
  });
});

describe('an agent without patterns', () => {
  const plain = (changes: Partial<AgentDeclaration> = {}) => declaredAgent('mine', changes, (work) => timeBox(2_000, work));

  test.each<[string, string, string]>([
    ['a prompt', 'any> ', 'unknown'],
    ['a question in brackets', 'Change work.txt? [y/N]', 'awaiting_question'],
    ['one in words', 'Go on (yes/no)?', 'awaiting_question'],
    ['one with more answers', "Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]:", 'awaiting_question'],
    ['a question that is answered', 'Change work.txt? [y/N] y', 'unknown'],
    ['a sentence about one', 'Press y/n to go on', 'unknown'],
  ])('shows %s', (_, line, kind) => {
    expect(plain().classify(screen('Some text', line, '')).activity.kind).toBe(kind);
  });

  test('may have some patterns, which win over the silence', () => {
    const some = plain({ ready: ['^any> $'], busy: ['Working'] });
    expect(some.plain).toEqual({ quietMs: 20_000 });
    expect(some.classify(screen('Working')).activity.kind).toBe('processing');
  });

  test('has finished after twenty seconds of silence, unless the declaration says otherwise', () => {
    expect([plain().plain, plain({ quietSecs: 5 }).plain, agent().plain]).toEqual([{ quietMs: 20_000 }, { quietMs: 5_000 }, undefined]);
  });

  test('gets one line, because it may take each line of a paste as a prompt', () => {
    expect(plain().makeSafe('One\n\n  two\tthree  \n')).toEqual({
      text: 'One ⏎ two three',
      changes: ['blanks at the end removed', 'sent as one line, with ⏎ for each line break'],
    });
    expect(plain({ multiline: true }).makeSafe('One\ntwo').text).toBe('One\ntwo');
    expect(plain().makeSafe('/exit').text).toBe('Message: ⏎ /exit');
  });

  test('gets a file instead of a line that a terminal would cut', () => {
    expect(plain().makeSafe('x'.repeat(5_000)).needsFile).toBe('a terminal that reads line by line drops the end of a long line');
    expect(plain({ multiline: true }).makeSafe('x'.repeat(5_000)).needsFile).toBeUndefined();
  });

  test('has its line emptied with Ctrl-U, which ends no program', () => {
    expect([plain().wipeKeys, agent().wipeKeys]).toEqual([['C-u'], ['C-c']]);
  });
});
