import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeAgent } from '../../src/agents/claude/adapter.ts';
import { claudeUsageReader } from '../../src/agents/claude/usage.ts';
import { testOfFullRun } from '../support/full-run.ts';
import { isAlive, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { lastUserText } from './api-request.ts';
import { installedClaude } from './install.ts';
import { LiveClaude, type LiveOptions } from './live-claude.ts';
import { ScriptedApi } from './scripted-api.ts';

const program = await installedClaude();
/** Claude Code 2.1.325 draws its trust dialog twice, and the second begins at "No, exit" again: src/supervisor/dialogs/startup-dialog.ts. */
const STILL_MS = 500;
const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf(program === undefined)('the real Claude Code', () => {
  let tmux: ScratchTmux;
  let api: ScriptedApi;

  beforeAll(async () => {
    tmux = await scratchTmux();
    api = await ScriptedApi.start();
  });

  afterAll(async () => {
    await tmux[Symbol.asyncDispose]();
    await api[Symbol.asyncDispose]();
  });

  const start = (name: string, options: Partial<LiveOptions> = {}) =>
    LiveClaude.start({ program: program ?? '', tmux, api, name, ...options });
  const manual = { request: { skipPermissions: false, args: ['--permission-mode', 'manual'] } };

  test('a prompt is accepted with its exact text, answered, and recorded', async () => {
    await using claude = await start('turn', {
      request: { model: 'sonnet', rolePrompt: 'You are a reviewer.', allowedTools: ['Bash(git log:*)', 'Read'] },
    });
    await claude.waitUntilReady();
    expect(await claude.reading()).toMatchObject({ activity: { kind: 'ready' }, box: { kind: 'empty' } });
    expect(await claude.waitForEvents('session_started')).toEqual([
      { kind: 'session_started', conversationId: claude.id, source: 'startup' },
    ]);

    api.script('turn', { kind: 'text', text: 'All done.' });
    const text = 'Fix "this"\nand $(that) `now` – é 日 🙂';
    const began = Date.now();
    await claude.send(text);
    expect(await claude.waitForEvents('prompt_accepted')).toEqual([{ kind: 'prompt_accepted', text }]);
    expect(await claude.waitForEvents('turn_ended')).toEqual([{ kind: 'turn_ended', message: 'All done.', backgroundTasks: 0 }]);
    await claude.waitForLive('ready');
    expect(claudeAgent.showsPrompt(await claude.pane.screen(), text)).toBe(true);

    const [request] = api.requests('turn');
    expect(request === undefined ? undefined : lastUserText(request.body)).toBe(text);
    expect(request?.body.model).toContain('sonnet');
    expect(JSON.stringify(request?.body.system)).toContain('You are a reviewer.');

    await until('the transcript', async () => usageIn(claude.transcript()) !== undefined);
    expect(claude.prompts()).toEqual([{ text, at: expect.any(Number) }]);
    expect(claude.prompts()[0]?.at).toBeGreaterThanOrEqual(began);
    expect(usageIn(claude.transcript())).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });

  test('the adapter reads a permission dialog and answers it by the text of a choice', async () => {
    await using claude = await start('permission', manual);
    await claude.waitUntilReady();
    const tool = { kind: 'tool', name: 'Bash', input: { command: 'touch made', description: 'Make a file' } } as const;
    api.script('permission', tool);
    await claude.send('make it');
    const shown = await claude.waitForScreen('awaiting_permission');
    expect(shown).toMatchObject({ tool: 'Bash', question: 'Do you want to proceed?', choices: expect.arrayContaining(['Yes', 'No']) });
    expect(await claude.waitForEvents('permission_opened')).toEqual([
      { kind: 'permission_opened', tool: 'Bash', command: 'touch made', question: 'Do you want to proceed?', choices: [] },
    ]);
    // The status file says that something waits, not which dialog.
    await claude.waitForLive('awaiting_question');

    await claude.follow(
      (screen) => claudeAgent.answerStep(screen, 'no'),
      ({ activity }) => activity.kind === 'ready',
    );
    expect(await claude.waitForScreen('ready', (activity) => activity.kind === 'ready' && activity.interrupted === true)).toBeDefined();
    expect(existsSync(join(claude.isolated.project, 'made'))).toBe(false);

    api.script('permission', tool, { kind: 'text', text: 'Made.' });
    await claude.send('really make it');
    await claude.waitForScreen('awaiting_permission');
    await claude.follow(
      (screen) => claudeAgent.answerStep(screen, '1'),
      ({ activity }) => activity.kind !== 'awaiting_permission',
    );
    await claude.waitForEvents('turn_ended');
    expect(existsSync(join(claude.isolated.project, 'made'))).toBe(true);
    expect(await claude.waitForEvents('tool_finished')).toEqual([{ kind: 'tool_finished', tool: 'Bash' }]);
  });

  test('the adapter reads questions with their choices, and answers by label, by text and by ticking', async () => {
    await using claude = await start('question');
    await claude.waitUntilReady();
    const options = ['PostgreSQL', 'SQLite', 'MySQL'].map((label) => ({ label, description: `Use ${label}` }));
    const ask = async (question: string, multiSelect: boolean, answer: string) => {
      const asked = { question, header: 'Database', multiSelect, options };
      const before = claude.events().filter(({ kind }) => kind === 'dialog_closed').length;
      api.script('question', { kind: 'tool', name: 'AskUserQuestion', input: { questions: [asked] } }, { kind: 'text', text: 'Thanks.' });
      await claude.send(`please ask: ${question}`);
      const shown = await claude.waitForScreen('awaiting_question');
      expect(shown).toMatchObject({ questionType: 'multiple_choice', question, choices: ['PostgreSQL', 'SQLite', 'MySQL'] });
      await claude.follow(
        (screen) => claudeAgent.submitStep?.(screen) ?? claudeAgent.answerStep(screen, answer),
        ({ activity }) => activity.kind !== 'awaiting_question',
      );
      await claude.waitForEvents('dialog_closed', before + 1);
      await claude.waitUntilReady();
      return JSON.stringify(api.requests('question').at(-1)?.body.messages.at(-1) ?? api.requests('question').at(-1)?.body.messages);
    };
    expect(await ask('Which one?', false, 'sqlite')).toContain('SQLite');
    expect(await ask('Which other?', false, 'DuckDB; it is é 日')).toContain('DuckDB; it is é 日');
    expect(await ask('Which ones?', true, '1, MySQL')).toContain('PostgreSQL, MySQL');
    expect((await claude.waitForEvents('question_opened', 3))[0]).toEqual({
      kind: 'question_opened',
      question: 'Which one?',
      choices: ['PostgreSQL', 'SQLite', 'MySQL'],
    });
  });

  // In each run in test/claude/errors.test.ts: 529 shows as a retry.
  testOfFullRun('529 is reported as a retry first, then as an overload', async () => {
    await using claude = await start('overloaded', { env: { CLAUDE_CODE_MAX_RETRIES: '2' } });
    await claude.waitUntilReady();
    const overloaded = { kind: 'error', status: 529, type: 'overloaded_error', message: 'Overloaded' } as const;
    // The test has to observe the retry.
    api.script('overloaded', { ...overloaded, headers: { 'retry-after': '10' } }, overloaded, overloaded);
    await claude.send('hello');
    await claude.waitForScreen('processing', (activity) => activity.kind === 'processing' && activity.detail === 'retrying');
    expect(await claude.waitForScreen('error')).toMatchObject({ type: 'overloaded', recoverable: true });
    expect(await claude.waitForEvents('turn_failed')).toMatchObject([{ type: 'overloaded', recoverable: true, resetsAt: null }]);
    await claude.waitForLive('ready');
    await claude.send('again');
    await claude.waitForEvents('turn_ended');
    expect((await claude.waitForScreen('ready')).kind).toBe('ready');
  });

  // In each run in test/claude/errors.test.ts: 401 needs a person.
  testOfFullRun('401 is not a temporary error', async () => {
    await using claude = await start('refused', { env: { CLAUDE_CODE_MAX_RETRIES: '0' } });
    await claude.waitUntilReady();
    const refused = { kind: 'error', status: 401, type: 'authentication_error', message: 'invalid x-api-key' } as const;
    api.script('refused', refused, refused, refused);
    await claude.send('hello');
    expect(await claude.waitForScreen('error')).toMatchObject({ type: 'auth', recoverable: false });
    expect(await claude.waitForEvents('turn_failed')).toMatchObject([{ type: 'auth', recoverable: false }]);
  });

  test('an interrupt fires no event: the screen and the status file show it', async () => {
    await using claude = await start('interrupt');
    await claude.waitUntilReady();
    api.script('interrupt', { kind: 'stall', text: 'I begin' });
    await claude.send('go on for ever');
    await claude.pane.waitFor('the reply to begin', ({ lines }) => lines.some((line) => line.includes('I begin')), 240_000);
    expect((await claude.waitForScreen('processing')).kind).toBe('processing');
    await claude.waitForLive('processing');
    await claude.pane.keys(...claudeAgent.interruptKeys);
    await claude.waitForScreen('ready', (activity) => activity.kind === 'ready' && activity.interrupted === true);
    await claude.waitForLive('ready');
    expect(claude.events().map(({ kind }) => kind)).toEqual(['session_started', 'prompt_accepted']);
  });

  test('the adapter answers the trust question by its text', async () => {
    await using claude = await start('trust', { trusted: [] });
    expect(await claude.waitForScreen('awaiting_question')).toMatchObject({
      questionType: 'startup',
      choices: ['No, exit', 'Yes, I trust this folder'],
    });
    const answer = () => claude.follow(claudeAgent.startupStep, ({ activity }) => /^(?:ready|exited)$/.test(activity.kind), STILL_MS);
    const steps = [...(await answer())];
    // On a busy machine the second drawing may come late, right under the Enter. The supervisor starts the agent again, too.
    while (!isAlive(claude.pane.pid)) {
      await claude.launch({ kind: 'fresh', id: claude.id });
      steps.push(...(await answer()));
    }
    const confirmed = steps.filter(({ keys }) => keys.includes('Enter')).map(({ why }) => why);
    expect(new Set(confirmed)).toEqual(new Set(['confirm "Yes, I trust this folder"']));
    await claude.waitUntilReady();
  });

  // In each run in test/claude/tasks.test.ts: a Claude Code killed in mid-turn resumes its conversation.
  testOfFullRun('a killed conversation resumes where it was', async () => {
    await using claude = await start('resume');
    await claude.waitUntilReady();
    api.script('resume', { kind: 'text', text: 'The word is BANANA.' });
    await claude.send('tell me the word');
    await claude.waitForEvents('turn_ended');
    // Claude Code writes the transcript a moment after the turn. Killed before that, 2.1.325 finds no conversation to resume.
    await until('the whole turn in the transcript', async () => claude.transcript().includes('BANANA'));
    process.kill(claude.pane.pid, 'SIGKILL');
    expect(await claude.pane.exit()).toEqual({ status: null, signal: 9 });
    expect((await claude.reading()).activity).toMatchObject({ kind: 'exited', how: 'crash' });

    await claude.launch({ kind: 'resume', id: claude.id });
    await claude.waitUntilReady();
    expect((await claude.waitForEvents('session_started', 2)).at(-1)).toEqual({
      kind: 'session_started',
      conversationId: claude.id,
      source: 'resume',
    });
    await claude.send('and again');
    await claude.waitForEvents('turn_ended', 2);
    const messages = JSON.stringify(api.requests('resume').at(-1)?.body.messages);
    expect(messages).toContain('tell me the word');
    expect(messages).toContain('BANANA');
  });

  test('at a usage limit it opens a dialog, which the adapter answers by its text', async () => {
    await using claude = await start('limit', { oauth: true });
    await claude.waitUntilReady();
    const resetsAt = (Math.floor(Date.now() / 60_000) + 90) * 60_000;
    const claim = 'anthropic-ratelimit-unified';
    const headers = {
      [`${claim}-status`]: 'rejected',
      [`${claim}-reset`]: String(resetsAt / 1_000),
      'retry-after': '5400',

      [`${claim}-representative-claim`]: 'five_hour',
      [`${claim}-5h-status`]: 'rejected',
      [`${claim}-5h-reset`]: String(resetsAt / 1_000),
    };
    api.script('limit', { kind: 'error', status: 429, type: 'rate_limit_error', message: 'Too much.', headers });
    await claude.send('hello');
    expect(await claude.waitForScreen('waiting_limit')).toEqual({ kind: 'waiting_limit', resetsAt, continuesByItself: false });
    expect(await claude.waitForEvents('turn_failed')).toMatchObject([{ type: 'rate_limit', recoverable: true, resetsAt }]);
    await claude.follow(claudeAgent.startupStep, ({ box }) => box.kind === 'empty');
    expect(await claude.reading()).toMatchObject({ activity: { kind: 'waiting_limit', resetsAt }, box: { kind: 'empty' } });
    await claude.send('go on');
    await claude.waitForEvents('turn_ended');
    expect(api.requests('limit')).toHaveLength(2);
  });

  // In each run in test/claude/deliveries.test.ts: 40 odd prompts arrive once, as documented.
  testOfFullRun('odd text arrives once, unchanged except as documented, and is not run as a command', async () => {
    await using claude = await start('odd', { width: 80, height: 24 });
    await claude.waitUntilReady();
    const picture = join(claude.isolated.project, 'pic.png');
    await writeFile(picture, Buffer.from(ONE_PIXEL, 'base64'));
    const nasty = [
      '/clear',
      ' /clear',
      '\n/compact',
      '/nonsense word',
      '!touch obeyed',
      ' !touch obeyed',
      'exit',
      ' quit ',
      ':wq',
      '/tmp/foo is a file',

      'ends with \\',
      'two \\\\',
      'a\tb',
      'trailing   ',
      'a\r\nb',
      'a\u001b[201~b',
      'a\u202eb',
      'a\u200bb',
      'e\u0301',
      'می\u200cخواهم',
      '👨\u200d👩\u200d👧',

      '# note',
      '@nobody',
      '& go',
      '?',
      '1',
      '"quoted" $(id) `id`',
      '[Pasted text #1 +3 lines]',
      `see\n${picture}\nthere`,
      'x',
      '   indented',

      'many\n'.repeat(40),
      'long '.repeat(600),
      `/clear\n${'line\n'.repeat(30)}`,
      `!touch obeyed\n${'line\n'.repeat(30)}`,
      '<task-notification>x</task-notification>',
    ];
    for (const [index, text] of nasty.entries()) {
      const safe = claudeAgent.makeSafe(text);
      await claude.send(safe.text);
      const accepted = await claude.waitForEvents('prompt_accepted', index + 1);
      expect(claudeAgent.normalise(accepted[index]?.text ?? '')).toBe(claudeAgent.normalise(safe.text));
      await claude.waitForEvents('turn_ended', index + 1);
    }
    const received = api.requests('odd').map(({ body }) => claudeAgent.normalise(lastUserText(body) ?? ''));
    expect(received).toEqual(nasty.map((text) => claudeAgent.normalise(claudeAgent.makeSafe(text).text)));
    expect(existsSync(join(claude.isolated.project, 'obeyed'))).toBe(false);
    expect(claude.events().filter(({ kind }) => kind === 'session_started' || kind === 'session_ended')).toHaveLength(1);
  });

  test('hooks that cannot write do not disturb it', async () => {
    await using claude = await start('deaf', { request: { spool: '/nonexistent/spool' } });
    await claude.waitUntilReady();
    api.script('deaf', { kind: 'text', text: 'Heard anyway.' });
    await claude.send('hello');
    await claude.pane.waitFor('the answer', ({ lines }) => lines.some((line) => line.includes('Heard anyway.')), 240_000);
    await claude.waitForScreen('ready');
    expect((await claude.pane.screen()).lines.join('\n')).not.toMatch(/hook/i);
  });

  // In each run in test/claude/canary.test.ts: its last check is the exit.
  testOfFullRun('the exit command ends it, and its session is reported as ended', async () => {
    await using claude = await start('leave');
    await claude.waitUntilReady();
    await claude.send(claudeAgent.exitText);
    expect(await claude.pane.exit(90_000)).toEqual({ status: 0, signal: null });
    await until('the farewell', async () => (await claude.reading()).activity.kind === 'exited');
    expect((await claude.reading()).activity).toMatchObject({ kind: 'exited', how: 'user' });
    expect(await claude.waitForEvents('session_ended')).toEqual([{ kind: 'session_ended', reason: 'prompt_input_exit' }]);
  });
});

function usageIn(text: string) {
  const reader = claudeUsageReader();
  reader.feed(text);
  return reader.usage();
}
