import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoAgent } from '../../src/agents/demo/adapter.ts';
import type { Screen } from '../../src/terminal/screen.ts';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { isAlive, type Pane, type PaneExit, type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';

/** The built program. */
const PROGRAM = join(import.meta.dirname, '../../dist/demo-agent.js');

interface Life {
  readonly incarnation?: number;
  readonly conversation?: { kind: 'fresh' | 'resume'; id: string };
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly scenario?: string;
  readonly width?: number;
  readonly height?: number;
}

interface Seen {
  readonly name: string;
  readonly payload: { readonly session_id?: string; readonly prompt?: string; readonly [key: string]: unknown };
}

/** Starts the agent as llmc does, in a git repository without an identity. */
async function live(tmux: ScratchTmux, life: Life = {}) {
  const dir = tmux.directory;
  const work = join(dir, 'work');
  const spool = join(dir, 'spool');
  const { incarnation = 1 } = life;
  if (incarnation === 1) {
    for (const each of [work, spool, join(dir, 'scratch')]) await mkdir(each, { recursive: true });
  }
  const scenario = join(dir, `scenario-${incarnation}.yaml`);
  if (life.scenario !== undefined) await writeFile(scenario, life.scenario);
  const launch = demoAgent.launch({
    worker: 'adam',
    root: dir,
    worktree: work,
    repository: join(work, '.git'),
    spool,
    scratch: join(dir, 'scratch'),
    incarnation,
    command: PROGRAM,
    args: [...(life.scenario === undefined ? [] : ['--scenario', scenario]), ...(life.args ?? [])],
    model: '',
    rolePrompt: '',
    skipPermissions: false,
    allowedTools: [],
    conversation: life.conversation ?? { kind: 'fresh', id: `conversation-${incarnation}` },
  });
  const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const pane = await tmux.start({
    name: `adam-${incarnation}`,
    argv: launch.argv,
    cwd: work,
    env: { HOME: dir, ...git, ...launch.env, ...life.env },
    ...(life.width !== undefined && { width: life.width }),
    ...(life.height !== undefined && { height: life.height }),
  });
  const events = () => readEvents(spool, incarnation);
  return {
    pane,
    work,
    events,
    prompts: async () => (await events()).filter(({ name }) => name === 'prompt_submit').map(({ payload }) => payload.prompt),
    named: async (name: string) => (await events()).filter((event) => event.name === name),
    happened: (name: string, times = 1, deadlineMs?: number) =>
      until(`${times} × ${name}`, async () => (await events()).filter((event) => event.name === name).length >= times, deadlineMs),
  };
}

async function readEvents(spool: string, incarnation: number): Promise<Seen[]> {
  const files = (await readdir(spool)).filter((file) => file.startsWith(`${incarnation}~`));
  // The counter at the end of a name gives the order of writing within one process.
  files.sort((a, b) => a.slice(a.lastIndexOf('~')).localeCompare(b.slice(b.lastIndexOf('~'))));
  return Promise.all(
    files.map(async (file) => ({ name: file.split('~')[1] ?? '', payload: JSON.parse(await readFile(join(spool, file), 'utf8')) })),
  );
}

const kind = (wanted: string) => (screen: Screen) => demoAgent.classify(screen).activity.kind === wanted;
const box = (wanted: string) => (screen: Screen) => demoAgent.classify(screen).box.kind === wanted;
const shows = (text: string) => (screen: Screen) => screen.lines.some((line) => line.includes(text));
const ready = (pane: Pane) => pane.waitFor('ready', kind('ready'));

/** Pastes the text and presses Enter in a separate call, as llmc does. */
async function send(pane: Pane, text: string): Promise<void> {
  await pane.paste(text);
  await pane.waitFor('the text in the box', (screen) => !box('empty')(screen) && !box('absent')(screen));
  await pane.keys('Enter');
}

/** Presses keys for this screen, and waits until the screen changes. */
async function pressFor(pane: Pane, screen: Screen, keys: readonly string[] = []): Promise<void> {
  if (keys.length === 0) return;
  await pane.keys(...keys);
  await pane.waitFor('the keys to show', ({ lines }) => lines.join('\n') !== screen.lines.join('\n'));
}

function expectKilled({ status, signal }: PaneExit): void {
  expect({ status, killed: signal === 'untold' || signal === 9 }).toEqual({ status: null, killed: true });
}

const QUICK = "turns:\n  - when: '.*'\n    steps:\n      - say: noted\n";

describe('prompts', () => {
  const ODD = 'quotes "\' $(id) `id` \\ tab\there é 漢字 🎉👩‍👩‍👧 [Pasted text #1] ';
  const sized = (bytes: number, lines: boolean) => {
    const line = lines ? `${ODD}\n` : ODD;
    return `${line.repeat(Math.ceil(bytes / line.length))}`.slice(0, bytes).replace(/[\uD800-\uDBFF]$/, '.');
  };

  test.for(rowsOfThisRun([80, 220], (width) => width === 80))(
    'of 1 byte to 256 KB arrive as they were sent at %i columns',
    async (width) => {
      await using tmux = await scratchTmux();
      const { pane, prompts, happened } = await live(tmux, { scenario: QUICK, width });
      await ready(pane);
      const texts = ['x', ...[100, 790, 900, 4_096, 65_536, 262_144].flatMap((size) => [sized(size, false), sized(size, true)])];
      for (const [index, text] of texts.entries()) {
        await send(pane, text);
        await happened('stop', index + 1);
        await ready(pane);
      }
      expect(await prompts()).toEqual(texts);
    },
  );

  test('that are long are shown folded in the box, and Ctrl-C empties it', async () => {
    await using tmux = await scratchTmux();
    const { pane, prompts } = await live(tmux);
    await ready(pane);
    await pane.paste(Array.from({ length: 30 }, (_, line) => `line ${line}`).join('\n'));
    await pane.waitFor('the folded paste', shows('❯\u00a0[Pasted text #1 +29 lines]'));
    await pane.paste('y'.repeat(900));
    expect(demoAgent.classify(await pane.waitFor('a second one', shows('[Pasted text #2]'))).box).toMatchObject({
      kind: 'folded',
      text: '[Pasted text #1 +29 lines][Pasted text #2]',
    });
    await pane.keys(...demoAgent.wipeKeys);
    await pane.waitFor('an empty box', box('empty'));
    expect(await prompts()).toEqual([]);
  });

  test('typed together with their Enter stay in the box', async () => {
    await using tmux = await scratchTmux();
    const { pane, prompts } = await live(tmux, { scenario: QUICK });
    await ready(pane);
    await pane.keys('z'.repeat(300), 'Enter');
    await pane.waitFor('the text in the box', box('text'));
    expect(await prompts()).toEqual([]);
  });

  test('entered while a turn runs are accepted at once and run next', async () => {
    await using tmux = await scratchTmux();
    const first = "{steps: [{run: 'until [ -e ../gate ]; do sleep 0.1; done'}]}";
    const { pane, events, happened, work } = await live(tmux, { scenario: `turns: [${first}, {steps: [{say: second}]}]` });
    await ready(pane);
    await send(pane, 'first');
    await pane.waitFor('processing', kind('processing'));
    await send(pane, 'second');
    await pane.waitFor('the queue', shows('❯ second'));
    await writeFile(join(work, '../gate'), '');
    await happened('stop', 2);
    const reported = (await events()).map(({ name, payload }) => `${name} ${payload.prompt ?? payload.queued ?? ''}`.trim());
    expect(reported.filter((line) => /prompt|stop/.test(line))).toEqual([
      'prompt_submit first',
      'prompt_submit second',
      'stop 1',
      'stop 0',
    ]);
  });

  // In each run in test/live/delivery-prompts.test.ts.
  testOfFullRun('made safe run no command, end no agent and clear no conversation', async () => {
    await using tmux = await scratchTmux();
    const { pane, prompts, happened } = await live(tmux, { scenario: QUICK });
    await ready(pane);
    const risky = ['!touch ran', '/clear', '/nonsense', 'exit', 'quit', 'ends with \\', '  !touch ran'];
    const safe = risky.map((text) => demoAgent.makeSafe(text).text);
    for (const [index, text] of safe.entries()) {
      await send(pane, text);
      await happened('stop', index + 1);
      await ready(pane);
    }
    expect((await prompts()).map((text) => demoAgent.normalise(text ?? ''))).toEqual(safe.map(demoAgent.normalise));
  });

  test('not made safe take effect: a shell command, an unknown command, the exit', async () => {
    await using tmux = await scratchTmux();
    const { pane, prompts, work } = await live(tmux);
    await ready(pane);
    await send(pane, '!touch ran');
    await until('the command to run', async () => (await readdir(work)).includes('ran'));
    await ready(pane);
    await send(pane, '/nonsense');
    await pane.waitFor('the refusal', shows('Unknown command: /nonsense'));
    await send(pane, 'quit');
    expect(await pane.exit()).toEqual({ status: 0, signal: null });
    expect(await prompts()).toEqual([]);
  });
});

describe('dialogs', () => {
  const PERMISSION = "turns: [{when: '.*', steps: [{request_permission: {command: touch approved}}, {say: after}]}]";
  const QUESTION = [
    'turns:',
    "  - when: '.*'",
    '    steps:',
    '      - ask: { question: Which colour?, choices: [Red, Blue], free_text: true, answers: { Red: [{ say: r }], other: [{ say: o }] } }',
  ].join('\n');

  test('for permission ignore text but take Enter as yes: llmc must not fall into this trap', async () => {
    await using tmux = await scratchTmux();
    const { pane, work, prompts, events, happened } = await live(tmux, { scenario: PERMISSION });
    await ready(pane);
    await send(pane, 'go');
    const { activity } = demoAgent.classify(await pane.waitFor('the dialog', kind('awaiting_permission')));
    expect(activity).toMatchObject({ tool: 'Bash', choices: ['Yes', 'No'], question: 'Do you want to proceed?' });
    expect((await events()).at(-1)).toMatchObject({ name: 'permission', payload: { tool: 'Bash', choices: ['Yes', 'No'] } });
    await pane.paste('another prompt');
    await pane.keys('Enter');
    await happened('stop');
    expect(await readdir(work)).toContain('approved');
    expect(await prompts()).toEqual(['go']);
  });

  test('are answered by number or label, and Esc closes them without an event', async () => {
    await using tmux = await scratchTmux();
    const { pane, work, named, happened } = await live(tmux, { scenario: PERMISSION });
    await ready(pane);
    for (const [index, choice] of ['2', 'No'].entries()) {
      await send(pane, `go ${choice}`);
      const step = demoAgent.answerStep(await pane.waitFor('the dialog', kind('awaiting_permission')), choice);
      await pane.keys(...(step?.keys ?? []));
      await happened('stop', index + 1);
      await ready(pane);
    }
    await send(pane, 'go on');
    await pane.waitFor('the dialog', kind('awaiting_permission'));
    await pane.keys('Escape');
    const { activity } = demoAgent.classify(await ready(pane));
    expect(activity).toEqual({ kind: 'ready', interrupted: true });
    expect([await named('dialog_closed'), await named('stop')].map(({ length }) => length)).toEqual([2, 2]);
    expect(await readdir(work)).toEqual([]);
  });

  // In each run in test/live/delivery-answers.test.ts.
  testOfFullRun('with a text field take any answer, step by step', async () => {
    await using tmux = await scratchTmux();
    const { pane, events, happened } = await live(tmux, { scenario: QUESTION });
    await ready(pane);
    for (const [index, choice] of ['red', 'Green; 3 parts blue'].entries()) {
      await send(pane, 'ask me');
      await pane.waitFor('the dialog', kind('awaiting_question'));
      await until('the answer to be taken', async () => {
        const screen = await pane.screen();
        if (!kind('awaiting_question')(screen)) return true;
        await pressFor(pane, screen, demoAgent.answerStep(screen, choice)?.keys);
        return false;
      });
      await happened('stop', index + 1);
      await ready(pane);
    }
    const messages = (await events()).filter(({ name }) => name === 'stop').map(({ payload }) => payload.message);
    expect(messages).toEqual(['r', 'o']);
    expect((await events()).find(({ name }) => name === 'question')?.payload.choices).toEqual(['Red', 'Blue', 'Type something.']);
  });

  test('at the start ask for trust: choosing by text accepts, a blind Enter exits', async () => {
    await using tmux = await scratchTmux();
    const { pane, events } = await live(tmux, { env: { LLMC_DEMO_TRUST: 'ask' } });
    const dialog = await pane.waitFor('the trust dialog', kind('awaiting_question'));
    expect(demoAgent.classify(dialog).activity).toMatchObject({
      questionType: 'startup',
      choices: ['No, exit', 'Yes, I trust this folder'],
    });
    expect(await events()).toEqual([]);
    await until('trust', async () => {
      const screen = await pane.screen();
      await pressFor(pane, screen, demoAgent.startupStep(screen)?.keys);
      return kind('ready')(screen);
    });
    const other = await live(tmux, { incarnation: 2, args: ['--trust-dialog'] });
    await other.pane.waitFor('the trust dialog', kind('awaiting_question'));
    await other.pane.keys('Enter');
    expect(await other.pane.exit()).toEqual({ status: 1, signal: null });
    expect(await other.events()).toEqual([]);
  });
});

describe('conversations', () => {
  test('are cleared under a new id', async () => {
    await using tmux = await scratchTmux();
    const { pane, named } = await live(tmux, { scenario: QUICK });
    await ready(pane);
    await send(pane, 'remember this');
    await pane.waitFor('the answer', shows('● noted'));
    await send(pane, demoAgent.clearText);
    await until('the second start', async () => (await named('session_start')).length === 2);
    await pane.waitFor('an empty transcript', (screen) => !shows('remember this')(screen));
    const [first, second] = await named('session_start');
    expect(first?.payload).toEqual({ session_id: 'conversation-1', source: 'startup' });
    expect(second?.payload.source).toBe('clear');
    expect(second?.payload.session_id).not.toBe('conversation-1');
  });

  test('continue after a kill -9 from the interrupted step, and only when asked', async () => {
    await using tmux = await scratchTmux();
    const scenario = [
      'turns:',
      '  - steps:',
      '      - edit: { path: notes.txt, append: "one\\n" }',
      '      - ask: { question: Which?, choices: [A, B], answers: { B: [{ edit: { path: notes.txt, append: "chose B\\n" } }, { misbehave: crash }] } }',
      '      - edit: { path: notes.txt, append: "two\\n" }',
      '      - commit: Notes',
    ].join('\n');
    const first = await live(tmux, { scenario });
    await ready(first.pane);
    await send(first.pane, 'write notes');
    await first.pane.waitFor('the question', kind('awaiting_question'));
    await first.pane.keys('2');
    expectKilled(await first.pane.exit());

    const second = await live(tmux, { scenario, incarnation: 2, conversation: { kind: 'resume', id: 'conversation-1' } });
    await second.pane.waitFor('the old transcript', (screen) => shows('❯ write notes')(screen) && kind('ready')(screen));
    await second.happened('ready');
    expect(await readFile(join(second.work, 'notes.txt'), 'utf8')).toBe('one\nchose B\n');
    await send(second.pane, 'Please continue where you stopped.');
    await second.happened('stop');
    expect(await readFile(join(second.work, 'notes.txt'), 'utf8')).toBe('one\nchose B\ntwo\n');
    expect((await second.named('session_start'))[0]?.payload).toEqual({ session_id: 'conversation-1', source: 'resume' });
  });

  test('that cannot be resumed or are in use make the start fail with status 1', async () => {
    await using tmux = await scratchTmux();
    const unknown = await live(tmux, { conversation: { kind: 'resume', id: 'never-prompted' } });
    expect(await unknown.pane.exit()).toEqual({ status: 1, signal: null });
    expect(await unknown.pane.history()).toContain('No conversation found with session ID: never-prompted');

    const conversation = { kind: 'fresh', id: 'mine' } as const;
    const first = await live(tmux, { incarnation: 2, scenario: QUICK, conversation });
    await ready(first.pane);
    await send(first.pane, 'hello');
    await first.happened('stop');
    const again = await live(tmux, { incarnation: 3, conversation });
    expect(await again.pane.exit()).toEqual({ status: 1, signal: null });
    expect(await again.pane.history()).toContain('Session ID mine is already in use');
  });
});

describe('tasks of a run', () => {
  const out = (work: string, file: string) => readFile(join(work, '.llmc-task/out', file), 'utf8');

  test('leave the files they ask for, again when told that something is wrong, and nothing in git', async () => {
    await using tmux = await scratchTmux();
    const record = join(tmux.directory, 'tasks.jsonl');
    const scenario = 'turns: [{steps: [{leave: {bad: link}}]}]';
    const { pane, work, happened } = await live(tmux, { scenario, args: ['--record', record] });
    await ready(pane);
    await send(pane, 'Prepare the task. Leave your findings in .llmc-task/out/findings.md.');
    await happened('stop');
    expect(await out(work, 'findings.md')).toBe(await readFile('/etc/passwd', 'utf8'));
    await ready(pane);
    await send(pane, 'The result of your task is not usable yet: it is a link.');
    await happened('stop', 2);
    expect(await out(work, 'findings.md')).toContain('# findings');
    expect(await out(work, 'progress.yaml')).toBe('done: 1\ntotal: 1\nnote: "findings.md"\n');
    expect(await readdir(work)).toEqual(['.llmc-task']);
    const lines = (await readFile(record, 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line)).map(({ event, files }) => `${event} ${files}`)).toEqual([
      'began findings.md',
      'ended findings.md',
      'began findings.md',
      'ended findings.md',
    ]);
  });

  test('get remarks for so many rounds, also after the agent was killed, and a message', async () => {
    await using tmux = await scratchTmux();
    const steps = '[{leave: {file: verdict.yaml, issues: [more tests], rounds: 2}}, {message: {to: developer, text: "a: {{worker}}"}}]';
    const scenario = `turns: [{when: ., steps: ${steps}}]`;
    const first = await live(tmux, { scenario });
    await ready(first.pane);
    await send(first.pane, 'Review it: .llmc-task/out/verdict.yaml');
    await first.happened('stop');
    expect(await out(first.work, 'verdict.yaml')).toBe('verdict: changes\nissues:\n  - "more tests"\n');
    process.kill(first.pane.pid, 'SIGKILL');
    expectKilled(await first.pane.exit());

    const second = await live(tmux, { scenario, incarnation: 2, conversation: { kind: 'resume', id: 'conversation-1' } });
    for (const [round, verdict] of [/changes/, /approved/].entries()) {
      await ready(second.pane);
      await send(second.pane, `Review it again, round ${round + 2}.`);
      await second.happened('stop', round + 1);
      expect(await out(second.work, 'verdict.yaml')).toMatch(verdict);
    }
    const messages = await readdir(join(second.work, '.llmc-task/out/messages'));
    expect(messages).toHaveLength(3);
    expect(await out(second.work, `messages/${messages[0]}`)).toBe('to: "developer"\ntext: "a: adam"\n');
  });
});

describe('the program', () => {
  test('exits with a status for each way to end it', async () => {
    await using tmux = await scratchTmux();
    const typed = await live(tmux);
    await ready(typed.pane);
    await send(typed.pane, demoAgent.exitText);
    expect(await typed.pane.exit()).toEqual({ status: 0, signal: null });
    expect((await typed.named('session_end'))[0]?.payload.reason).toBe('prompt_input_exit');

    const twice = await live(tmux, { incarnation: 2 });
    await ready(twice.pane);
    await twice.pane.keys('C-c');
    await twice.pane.waitFor('the hint', shows('Press Ctrl-C again to exit'));
    await twice.pane.keys('C-c');
    expect(await twice.pane.exit()).toEqual({ status: 0, signal: null });

    const scripted = await live(tmux, { incarnation: 3, scenario: 'turns: [{steps: [{exit: 7}]}]' });
    await ready(scripted.pane);
    await send(scripted.pane, 'go');
    expect(await scripted.pane.exit()).toEqual({ status: 7, signal: null });

    const ended = await live(tmux, { incarnation: 4 });
    await ready(ended.pane);
    process.kill(ended.pane.pid, 'SIGTERM');
    expect(await ended.pane.exit()).toEqual({ status: 143, signal: null });
    expect((await ended.named('session_end'))[0]?.payload.reason).toBe('other');
  });

  test('reports its end once when its terminal is closed', async () => {
    await using tmux = await scratchTmux();
    const { pane, named } = await live(tmux);
    await ready(pane);
    await tmux.tmux(['kill-session', '-t', `=${pane.name}`]);
    await until('the process to end', async () => !isAlive(pane.pid));
    expect(await named('session_end')).toHaveLength(1);
  });

  test('refuses a scenario it does not understand, with file and line', async () => {
    await using tmux = await scratchTmux();
    const { pane } = await live(tmux, { scenario: 'turns:\n  - steps:\n      - shout: hello\n', width: 220 });
    expect(await pane.exit()).toEqual({ status: 1, signal: null });
    expect(await pane.history()).toContain('scenario-1.yaml:3:9: turns.0.steps.0: unknown key "shout"');
  });

  test('redraws its screen when the terminal is resized', async () => {
    await using tmux = await scratchTmux();
    const { pane } = await live(tmux, { width: 80, height: 24 });
    await ready(pane);
    for (const [width, height] of [
      [500, 100],
      [40, 12],
      [100, 30],
    ] as const) {
      await pane.resize(width, height);
      const screen = await pane.waitFor(
        'a box as wide as the screen',
        ({ lines }) => lines.filter((line) => line === '─'.repeat(width)).length === 2,
      );
      expect(demoAgent.classify(screen)).toMatchObject({ activity: { kind: 'ready' }, box: { kind: 'empty' } });
    }
  });

  test('works without a spool', async () => {
    await using tmux = await scratchTmux();
    const { pane } = await live(tmux, { scenario: QUICK, env: { LLMC_SPOOL: join(tmux.directory, 'missing') } });
    await ready(pane);
    await send(pane, 'hello');
    await pane.waitFor('the answer', shows('● noted'));
  });

  test('makes a real commit of any prompt, and another one of the next prompt', async () => {
    await using tmux = await scratchTmux();
    const { pane, work, happened } = await live(tmux);
    await ready(pane);
    await send(pane, '!git init --quiet --initial-branch=main .');
    await until('the repository', async () => (await readdir(work)).includes('.git'));
    await ready(pane);
    await send(pane, 'You are worker adam.\n\n## Task\n\nAdd a greeting to the page. Keep it short.\n');
    await happened('stop');
    await ready(pane);
    await send(pane, 'The greeting is too loud.');
    await happened('stop', 2);
    const notes = await readFile(join(work, 'llmc-demo', 'adam.md'), 'utf8');
    expect(notes).toMatch(/^- \d{4}-\d\d-\d\d: Add a greeting to the page\n- \d{4}-\d\d-\d\d: The greeting is too loud\n$/);
    await ready(pane);
    await send(pane, '!git log --format=%s%n%b > ../log');
    await until('the log', async () => (await readFile(join(tmux.directory, 'log'), 'utf8').catch(() => '')).includes('Add a greeting'));
    const log = await readFile(join(tmux.directory, 'log'), 'utf8');
    expect(log.match(/^(The greeting is too loud|Add a greeting to the page)$/gm)).toEqual([
      'The greeting is too loud',
      'Add a greeting to the page',
    ]);
    expect(log).toMatch(/^🤖 Generated with/m);
    expect(log).toMatch(/^Co-Authored-By: /m);
  });

  test('fails a turn as an API does, and continues it when asked', async () => {
    await using tmux = await scratchTmux();
    const scenario = 'turns: [{steps: [{say: hm}, {fail: {type: rate_limit, message: too many requests, resets_in: 1m}}, {say: went on}]}]';
    const { pane, named, happened } = await live(tmux, { scenario });
    await ready(pane);
    await send(pane, 'go');
    await happened('stop_failure');
    const { activity } = demoAgent.classify(await pane.waitFor('the error', kind('error')));
    expect(activity).toEqual({ kind: 'error', type: 'rate_limit', recoverable: true, message: 'too many requests' });
    expect((await named('stop_failure'))[0]?.payload).toMatchObject({ type: 'rate_limit', resets_at: expect.any(Number) });
    await send(pane, 'continue');
    await happened('stop');
    expect((await named('stop'))[0]?.payload.message).toBe('went on');
  });

  // Workers with this agent continue in test/live/limits.test.ts.
  testOfFullRun('continues after a limit without a prompt, if it announced so and got no other prompt', async () => {
    await using tmux = await scratchTmux();
    const scenario =
      'turns: [{steps: [{fail: {type: rate_limit, message: enough, resets_in: 8s, continues: true}}, {say: went on}]}, {steps: [{fail: {type: rate_limit, message: enough, resets_in: 12s, continues: true}}]}, {steps: [{say: something else}, {take: 13s}]}]';
    const { pane, named, happened, prompts } = await live(tmux, { scenario });
    await ready(pane);
    await send(pane, 'go');
    const { activity } = demoAgent.classify(await pane.waitFor('the wait', kind('waiting_limit')));
    expect(activity).toEqual({ kind: 'waiting_limit', resetsAt: expect.any(Number), continuesByItself: true });
    await happened('stop');
    expect((await named('stop'))[0]?.payload.message).toBe('went on');

    await send(pane, 'once more');
    await pane.waitFor('the wait', kind('waiting_limit'));
    await send(pane, 'no, this');
    await happened('stop', 2);
    expect(await prompts()).toEqual(['go', 'The usage limit has reset. Continue where you left off.', 'once more', 'no, this']);
  });
});

describe('misbehaviours', () => {
  const misbehaving = (what: string): Life => ({ scenario: QUICK, env: { LLMC_DEMO_MISBEHAVE: what } });

  // llmc meets each of these in each run: swallowed Enters and cut pastes in test/live/delivery.test.ts.
  testOfFullRun('swallow_first_enter: the text stays in the box until Enter comes again', async () => {
    await using tmux = await scratchTmux();
    const { pane, prompts, happened } = await live(tmux, misbehaving('swallow_first_enter'));
    await ready(pane);
    await send(pane, 'hello');
    // A text in one read with the Enter would make a paste of both; this key keeps them apart.
    await pane.keys('Home');
    await pane.type('x');
    await pane.waitFor('the text still there', shows('❯\u00a0xhello'));
    expect(await prompts()).toEqual([]);
    await pane.keys('Enter');
    await happened('stop');
    expect(await prompts()).toEqual(['xhello']);
  });

  // As above.
  testOfFullRun('cut_paste_in_half: half of the first paste arrives, the next one whole', async () => {
    await using tmux = await scratchTmux();
    const { pane } = await live(tmux, misbehaving('cut_paste_in_half'));
    await ready(pane);
    await pane.paste('0123456789');
    expect(demoAgent.classify(await pane.waitFor('text', box('text'))).box).toEqual({ kind: 'text', text: '01234' });
    await pane.keys('C-c');
    await pane.waitFor('an empty box', box('empty'));
    await pane.paste('0123456789');
    expect(demoAgent.classify(await pane.waitFor('text', box('text'))).box).toEqual({ kind: 'text', text: '0123456789' });
  });

  const spooled = [
    ['lose_events', ['session_end']],
    ['double_events=stop', ['session_start', 'ready', 'prompt_submit', 'stop', 'stop', 'session_end']],
    ['reorder_events=30000', ['ready', 'session_start', 'stop', 'prompt_submit', 'session_end']],
    ['late_events=30000', ['session_start', 'ready', 'prompt_submit', 'stop', 'session_end']],
  ] as const;
  // llmc meets all of them in test/live/delivery-hooks.test.ts in each run.
  test.for(rowsOfThisRun(spooled, ([what]) => what.startsWith('reorder')))('%s: the spool shows it', async ([what, names]) => {
    await using tmux = await scratchTmux();
    const lost = what === 'lose_events' ? 'lose_events=session_start+ready+prompt_submit+stop' : what;
    const { pane, events } = await live(tmux, misbehaving(lost));
    await ready(pane);
    if (what.startsWith('late')) expect(await events()).toEqual([]);
    await send(pane, 'hello');
    await pane.waitFor('the end of the turn', shows('✻ Worked for'));
    await send(pane, '/exit');
    await pane.exit();
    expect((await events()).map(({ name }) => name)).toEqual(names);
  });

  test('slow_start: the screen is empty at first', async () => {
    await using tmux = await scratchTmux();
    const begun = Date.now();
    const { pane } = await live(tmux, misbehaving('slow_start=900'));
    await ready(pane);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(900);
  });

  // In each run in test/live/stuck.test.ts.
  testOfFullRun('stall: busy without progress until Esc, which ignore_interrupt ignores', async () => {
    await using tmux = await scratchTmux();
    const { pane, named } = await live(tmux, { scenario: 'turns: [{steps: [{say: hm}, {misbehave: stall}]}]' });
    await ready(pane);
    await send(pane, 'go');
    await pane.waitFor('some seconds', ({ lines }) => lines.some((line) => /Working… \([1-9]\d*s\)/.test(line)));
    await pane.keys(...demoAgent.interruptKeys);
    expect(demoAgent.classify(await ready(pane)).activity).toEqual({ kind: 'ready', interrupted: true });
    expect(await named('stop')).toEqual([]);

    const deaf = await live(tmux, {
      incarnation: 2,
      scenario: 'turns: [{misbehave: [ignore_interrupt], steps: [{misbehave: {stall: 4000}}, {say: over}]}]',
    });
    await ready(deaf.pane);
    await send(deaf.pane, 'go');
    await deaf.pane.waitFor('processing', kind('processing'));
    await deaf.pane.keys('Escape');
    await deaf.happened('stop');
  });

  test('crash: the process dies of SIGKILL in every turn', async () => {
    await using tmux = await scratchTmux();
    const { pane } = await live(tmux, misbehaving('crash'));
    await ready(pane);
    await send(pane, 'go');
    expectKilled(await pane.exit());
  });
});
