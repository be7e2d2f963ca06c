import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_WINDOW, VIEWER_WINDOW } from '../../src/terminal/panes.ts';
import { rowsOfThisRun, testOfFullRun } from '../support/full-run.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const exec = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd, ...more },
});
const beyond = (cmd: string): Step => exec(cmd, { sandbox_permissions: 'require_escalated', justification: 'it has to be' });
/** Each message has a file of its own: work that lands in one test must not conflict with that of another. */
const commits = (message: string): Step => exec(`echo "${message}" >> "${message}.txt" && git add . && git commit -qm "${message}"`);

const WORKERS = ['whole', 'asker', 'seen', 'victim', 'now', 'person', 'clearer', 'big', 'back'];

describe.skipIf(program === undefined)('a task for the real Codex on the protocol channel', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  beforeAll(async () => {
    opening = codexWorld({
      workers: rowsOfThisRun(WORKERS, (name) => !['victim', 'big', 'back'].includes(name)),
      skipPermissions: false,
    });
    world = await opening;
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  const start = (worker: string, prompt: string) => world.ok('start', '--worker', worker, '--prompt', prompt);
  const tasks = (worker: string) => world.received(worker).map((text) => text.replace(/.*\n## Task\n\n/s, ''));
  const paneOf = async (worker: string, window: string) =>
    Number(await world.tmux('display-message', '-p', '-t', `=llmc-${worker}:=${window}`, '#{pane_pid}'));
  const settled = async (worker: string) =>
    await world.until(`${worker} to be done`, () => world.deliveries(worker).every(({ state }) => state === 'done'));

  test.concurrent('a commit waits for review; after accept, the next task begins with an empty conversation', async () => {
    world.script('whole', commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await start('whole', 'Write about the sea');
    await world.reaches('whole', 'needs_review');
    expect(world.deliveries('whole')).toMatchObject([{ state: 'done', attempt: 1, ack_source: 'protocol' }]);
    await world.until('its tokens to be recorded', async () => /used \d+ tokens in, \d+ out/.test(await world.ok('why', 'whole')));
    await world.shows('whole', 'Add the sea');
    await world.ok('accept', 'whole');
    await start('whole', 'Write about the wind');
    await world.reaches('whole', 'needs_review');
    expect(JSON.stringify(world.api.requests('whole').at(-1)?.body)).not.toContain('Write about the sea');
    expect(tasks('whole')).toEqual(['Write about the sea', 'Write about the wind']);
    expect(world.incarnation('whole')).toBe(1);
    // The viewer switches to the new conversation.
    await world.shows('whole', 'Add the wind');

    await world.ok('accept', 'whole', '--yes');
    const text = `# Green\n\n${'It is the colour of the sea. '.repeat(500)}\n- and of *grass*`;
    world.script('whole', { kind: 'text', text });
    await world.ok('start', 'whole', '--expect', 'answer', 'Why green?');
    await world.reaches('whole', 'needs_review');
    expect(JSON.parse(await world.ok('review', 'whole', '--json'))).toMatchObject({ kind: 'answer', answer: { text, source: 'message' } });
  });

  test.concurrent('Codex asks for permission, and gets it from llmc answer or from a person in the viewer', async () => {
    const made = (name: string) => join(world.dir, `made by ${name}`);
    world.script('asker', beyond(`touch '${made('llmc')}'`), beyond(`touch '${made('hand')}'`), commits('Made'), OVER);
    await start('asker', 'Make them');
    await world.reaches('asker', 'needs_input');
    const { attention } = await world.worker('asker');
    expect(attention).toMatch(/wants permission for Bash: touch .*made by llmc.*\(it has to be\) \[Yes, proceed \/.*llmc answer asker/);
    await world.ok('why', 'asker');
    const refusal = await world.refused(['answer', 'asker', 'perhaps']);
    expect(refusal.message).toMatch(/is not a choice of/);
    await world.ok('answer', 'asker', 'yes');
    await world.until('the next question', async () => (await world.worker('asker')).attention?.includes('made by hand') ?? false);
    expect(existsSync(made('llmc'))).toBe(true);
    // The viewer may still show the first question, for which the key would be lost.
    await world.shows('asker', 'made by hand');
    await world.keys('asker', 'y');
    await world.reaches('asker', 'needs_review');
    expect(existsSync(made('hand'))).toBe(true);
    expect(tasks('asker')).toEqual(['Make them']);
  });

  test.concurrent('a viewer that is killed comes back, and the turn continues', async () => {
    const release = Promise.withResolvers<void>();
    // Without a text: a viewer that receives one live shows it in place of "esc to interrupt".
    world.script('seen', { kind: 'text', text: 'Done.', after: release.promise }, commits('Unseen'), OVER);
    await start('seen', 'Go on');
    await world.shows('seen', 'esc to interrupt');
    const before = await paneOf('seen', VIEWER_WINDOW);
    process.kill(before, 'SIGKILL');
    await world.until('another viewer', async () => (await paneOf('seen', VIEWER_WINDOW)) !== before);
    await world.shows('seen', 'esc to interrupt');
    expect(await world.worker('seen')).toMatchObject({ status: 'working', activity: { kind: 'processing' }, crash_count: 0 });
    release.resolve();
    await world.reaches('seen', 'needs_input');
    await world.ok('message', 'seen', 'And now commit');
    await world.reaches('seen', 'needs_review');
    expect(tasks('seen')).toEqual(['Go on', 'And now commit']);
    expect(world.incarnation('seen')).toBe(1);
  });

  // In each run in test/codex/crash.test.ts: killed together with the agent in the middle of a turn.
  testOfFullRun('a server killed in mid-turn resumes its conversation and gets one prompt to continue', async () => {
    world.script('victim', { kind: 'stall', text: 'I begin' }, commits('Finished after all'), OVER);
    await start('victim', 'Survive');
    await world.until('the request', () => world.api.requests('victim').length === 1);
    await world.waitForRecord('Survive');
    process.kill(await paneOf('victim', SERVER_WINDOW), 'SIGKILL');
    await world.reaches('victim', 'needs_review');
    await settled('victim');
    expect(world.incarnation('victim')).toBe(2);
    expect(tasks('victim')).toEqual(['Survive', expect.stringContaining('is now resumed')]);
    expect(JSON.stringify(world.api.requests('victim')[1]?.body.input)).toContain('Survive');
    expect(await world.gitIn(world.worktree('victim'), 'log', '--format=%s', 'origin/main..')).toBe('Finished after all');
  });

  test.concurrent('an urgent message interrupts the turn and arrives once', async () => {
    world.script('now', { kind: 'stall', text: 'I begin' }, OVER);
    await start('now', 'Go on for ever');
    await world.until('the request', () => world.api.requests('now').length === 1);
    await world.ok('message', 'now', 'Stop that', '--now');
    await settled('now');
    expect(tasks('now')).toEqual(['Go on for ever', 'Stop that']);
  });

  test.concurrent('a prompt that a person types in the viewer counts as work', async () => {
    world.script('person', OVER, commits('By hand'), OVER);
    await start('person', 'Begin');
    await world.reaches('person', 'needs_input');
    await world.shows('person', 'Done.');
    await world.type('person', 'commit it, please');
    await world.shows('person', '› commit it, please');
    await world.keys('person', 'Enter');
    await world.reaches('person', 'needs_review');
    expect(tasks('person')).toEqual(['Begin', 'commit it, please']);
    expect(world.deliveries('person')).toHaveLength(1);
  });

  test.concurrent('llmc follows a person who clears the conversation into the new one', async () => {
    world.script('clearer', OVER, commits('In the new one'), OVER, OVER);
    await start('clearer', 'Begin');
    await world.reaches('clearer', 'needs_input');
    await world.shows('clearer', 'Done.');
    const enter = async (text: string) => {
      await world.type('clearer', text);
      await world.shows('clearer', `› ${text}`);
      await world.keys('clearer', 'Enter');
    };
    await enter('/clear');
    await world.until('an empty screen', async () => !(await world.screen('clearer')).lines.join('\n').includes('Done.'));
    await enter('commit it, please');
    await world.reaches('clearer', 'needs_review');
    await world.ok('message', 'clearer', 'And then?');
    await settled('clearer');
    expect(tasks('clearer')).toEqual(['Begin', 'commit it, please', 'And then?']);
    expect(JSON.stringify(world.api.requests('clearer').at(-1)?.body.input)).toMatch(/^(?!.*## Task).*commit it, please/s);
  });

  // In each run in test/codex/deliveries.test.ts: long and odd prompts arrive byte for byte.
  testOfFullRun('a prompt of 300 KB arrives byte for byte, and is not run as a command', async () => {
    const text = `!touch obeyed\n/clear é 日 🙂\r\n\t${'a line of it\n'.repeat(24_000)}  end @nobody`;
    world.write('big.txt', text, world.dir);
    await world.ok('start', '--worker', 'big', '--prompt-file', join(world.dir, 'big.txt'));
    await world.reaches('big', 'needs_input');
    expect(tasks('big')).toEqual([text]);
    expect(existsSync(join(world.worktree('big'), 'obeyed'))).toBe(false);
  });

  // In each run in test/claude/tasks.test.ts; what Codex says of it is in src/agents/codex/protocol/dialogue.test.ts.
  testOfFullRun('a person’s Esc ends the turn', async () => {
    world.script('back', { kind: 'hang' }, OVER);
    await start('back', 'Go on for ever');
    await world.shows('back', 'esc to interrupt');
    await world.keys('back', 'Escape');
    await world.reaches('back', 'needs_input');
    expect((await world.worker('back')).activity.kind).toBe('ready');
    await world.ok('message', 'back', 'Something else');
    await settled('back');
    expect(tasks('back')).toEqual(['Go on for ever', 'Something else']);
  });
});
