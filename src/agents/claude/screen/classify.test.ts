import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { screenFromText } from '../../../terminal/screen.ts';
import { classify } from './classify.ts';
import { textsFor } from './texts.ts';

const ROOT = join(import.meta.dirname, '../../../../test/fixtures/screens/claude/2.1.325');
const fixture = (path: string) => readFileSync(join(ROOT, `${path}.txt`), 'utf8');
const read = (path: string, now?: number) => classify(screenFromText(fixture(path)), now);

describe('details of a classified screen', () => {
  test.each([
    ['Bash/perm-bash', 'touch made && curl http://127.0.0.1:1/'],
    ['Read/perm-read', 'Read(/home/dev/notes/outside.txt)'],
    ['WebFetch/perm-webfetch', 'url: http://127.0.0.1:1/x\nprompt: read it'],
    ['unknown/perm-bash-tall', '…\nline 59\nEOF\nrm -rf /nope'],
    ['Write/32-perm-write-100x40', undefined],
    ['ExitPlanMode/plan-ready', undefined],
  ])('a permission shows what it is for: %s', (name, command) => {
    const { activity } = read(`awaiting_permission-${name}`);
    expect(activity.kind === 'awaiting_permission' && activity.command).toBe(command);
  });

  test('a permission names its tool, its question and its rows', () => {
    expect(read('awaiting_permission-Write/32-perm-write-100x40').activity).toMatchObject({
      tool: 'Write',
      question: 'Do you want to create new.txt?',
      choices: ['Yes', expect.stringMatching(/^Yes, and switch to accept edits/), 'No'],
    });
  });

  test.each(['80x24', '200x50'])('a question in the words of a permission is a question: %s', (size) => {
    const text = fixture(`awaiting_question-yes_no/question-yes-no-${size}`).replace('Shall I go on?', 'Do you want to use tabs?');
    expect(classify(screenFromText(text)).activity).toMatchObject({
      kind: 'awaiting_question',
      question: 'Do you want to use tabs?',
      choices: ['Yes', 'No'],
    });
  });

  test('a login is one, and another dialog at the start is none', () => {
    // No recording shows it, so the words of the login are put into a sheet of the same kind.
    const login = fixture('awaiting_question-startup/startup-mcp-one').replace(/New MCP server found .*/, 'Select login method:');
    expect(classify(screenFromText(login)).activity).toMatchObject({
      questionType: 'startup',
      question: 'Select login method:',
      login: true,
    });
    expect(read('awaiting_question-startup/startup-trust').activity).not.toHaveProperty('login');
  });

  test('a question has only its own choices', () => {
    expect(read('awaiting_question-multiple_choice/question-multi-toggled').activity).toMatchObject({
      question: 'Which Features do you want?',
      choices: ['Auth', 'Logs', 'Cache'],
    });
  });

  test('the page that submits still belongs to the question answered last', () => {
    expect(read('awaiting_question-multiple_choice/question-two-review').activity).toMatchObject({
      question: 'Which Shape do you want?',
      choices: ['Submit answers', 'Cancel'],
    });
  });

  test('numbers in a plan are not its choices', () => {
    expect(read('awaiting_permission-ExitPlanMode/plan-ready').activity).toMatchObject({
      choices: ['Yes, and use auto mode', 'Yes, manually approve edits', 'Tell Claude what to change'],
    });
  });

  test('a limit has its reset time, if the current time is given', () => {
    const now = Date.parse('2026-11-15T03:03:00Z');
    expect(read('waiting_limit-stays/limit-seven_day', now).activity).toMatchObject({ resetsAt: Date.parse('2026-11-18T11:24:00Z') });
    expect(read('waiting_limit-continues/72-usage-limit-oauth-100x30', now).activity).toMatchObject({
      resetsAt: Date.parse('2026-11-15T04:18:00Z'),
    });
    expect(read('waiting_limit-continues/72-usage-limit-oauth-100x30').activity).toMatchObject({ resetsAt: null });
  });

  test.each([
    ['menu-config', { what: 'menu', title: 'Settings Status Config Usage Stats', key: 'Esc' }],
    ['menu-config-list', { what: 'menu', key: 'Esc' }],
    ['menu-model', { what: 'menu', title: 'Select model' }],
    ['menu-transcript', { what: 'transcript', key: 'Ctrl+O' }],
    ['suspended', { what: 'suspended' }],
  ])('a screen that a person opened has its name and its key: %s', (name, opened) => {
    expect(read(`unknown/${name}`).activity).toMatchObject({ kind: 'unknown', opened });
  });

  test('a suspended agent is seen as one below whose words the terminal shows what is typed', () => {
    const suspended = fixture('unknown/suspended').trimEnd();
    const typed = [suspended, 'Fix the typo', '', '^[[200~- in the README', '- and in the docs^[[201~^L'].join('\n');
    expect(classify(screenFromText(typed)).activity).toMatchObject({ kind: 'unknown', opened: { what: 'suspended' } });
    const continued = `${suspended}\n${fixture('ready/71-paste-3lines-80x24.draft')}`;
    expect(classify(screenFromText(continued)).activity).toEqual({ kind: 'ready' });
    const quoted = fixture('ready/71-paste-3lines-80x24.draft').replace(/^(.*\n)/, `● ${suspended.trim()}\n$1`);
    expect(classify(screenFromText(quoted)).activity).toEqual({ kind: 'ready' });
  });

  test('an end has its status', () => {
    expect(read('exited-crash/60-killed-9').activity).toEqual({ kind: 'exited', how: 'crash', status: null, signal: '9' });
    expect(read('exited-user/57-after-exit-100x30').activity).toEqual({ kind: 'exited', how: 'user', status: 0, signal: null });
  });

  test('an error carries its whole message', () => {
    expect(read('error-network/41-err-reset-final').activity).toMatchObject({
      message: 'API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL, then try again.',
    });
  });

  test('the box has its text', () => {
    expect(read('ready/71-paste-3lines-80x24.draft').box).toEqual({ kind: 'text', text: 'a\nb\nc' });
    expect(read('ready/71-paste-12KB-300lines-80x24.folded').box).toEqual({
      kind: 'folded',
      text: '[Pasted text #5 +299 lines]',
      moreLines: 299,
    });
    const lines = readFileSync(join(ROOT, 'ready/71-paste-12KB-300lines-80x24.folded.txt'), 'utf8');
    const withBox = (box: string) => classify(screenFromText(lines.replace('[Pasted text #5 +299 lines]', box))).box;
    const ours = { kind: 'folded', moreLines: 299 };
    expect(withBox('[Pasted text #5 +299 lines][Pasted text #6 +299 lines]')).toMatchObject({ ...ours, further: 'alike' });
    expect(withBox('[Pasted text #5 +299 lines][Pasted text #6 +4 lines]')).toMatchObject({ ...ours, further: 'different' });
    expect(withBox('look at [Pasted text #5 +299 lines]')).toMatchObject({ ...ours, beside: true, pieces: ['look at ', 299] });
    expect(read('ready/draft-bash-mode.draft').box).toMatchObject({ kind: 'text', text: '!ls -la', mode: { what: 'shell_mode' } });
    expect(read('ready/shell-mode.draft').box).toMatchObject({ kind: 'text', text: '!', mode: { what: 'shell_mode', key: 'Esc' } });
    expect(read('processing/50-queued-while-processing-100x30').box).toEqual({ kind: 'empty' });
  });
});

describe('screens without Claude Code on them', () => {
  test('a blank screen is a start', () => {
    expect(classify(screenFromText('\n\n'))).toMatchObject({ activity: { kind: 'starting' }, box: { kind: 'absent' } });
  });

  test('a shell is unknown, with no confidence', () => {
    expect(classify(screenFromText('dev@host:~$ ls\na.txt\ndev@host:~$'))).toMatchObject({ activity: { kind: 'unknown' }, confidence: 0 });
  });

  test.each([
    ['No conversation found with session ID: abc', true],
    ['Error: Session ID abc is already in use.', false],
  ])('%j is a refusal to start', (text, recoverable) => {
    expect(classify(screenFromText(text)).activity).toMatchObject({ kind: 'error', recoverable });
  });
});

test('a version without recorded screens is classified by the newest texts, and doctor can report it', () => {
  expect(textsFor('9.9.9')).toBe(textsFor('2.1.325'));
  expect(textsFor(undefined)).toBe(textsFor('2.1.325'));
});
