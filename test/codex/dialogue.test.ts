import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installedCodex } from './install.ts';
import { LiveCodex, type LiveOptions } from './live-codex.ts';
import { sentBy } from './replay.ts';
import { type Step, usageLimit } from './responses-steps.ts';
import { ScriptedResponses } from './scripted-responses.ts';

const program = await installedCodex();

const FEW_RETRIES = 'request_max_retries = 1\nstream_max_retries = 1\nstream_idle_timeout_ms = 2000';
const run = (cmd: string, more: Readonly<Record<string, unknown>> = {}): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd, ...more },
});
const beyond = (cmd: string): Step => run(cmd, { sandbox_permissions: 'require_escalated', justification: 'it has to be' });
const refused = (status: number, message: string, headers = {}): Step => ({ kind: 'error', status, error: { message }, headers });
const slowDown = refused(429, 'slow down', { 'retry-after': '1' });
const OVER: Step = { kind: 'text', text: 'Done.' };

describe.skipIf(program === undefined)('the real Codex on the protocol channel', () => {
  let api: ScriptedResponses;
  beforeAll(async () => {
    api = await ScriptedResponses.start();
  });
  afterAll(async () => api[Symbol.asyncDispose]());

  const start = (name: string, options: Partial<LiveOptions> = {}) => LiveCodex.start({ program: program ?? '', api, name, ...options });
  const asking = { request: { skipPermissions: false } };

  test.concurrent('a prompt of 300 KB arrives byte for byte, is accepted under its id, and its turn ends', async () => {
    await using codex = await start('big', { request: { rolePrompt: 'You are a reviewer.' } });
    const config = readFileSync(join(codex.isolated.codexHome, 'config.toml'), 'utf8');
    const line = await codex.connect();
    await line.opens();
    expect(line.kinds()).toEqual(['session_started', 'ready']);
    expect(line.dialogue.live).toEqual({ kind: 'ready' });
    const text = `  !/clear "é" 日 🙂 \\ @nobody\r\n\t${'a line of it\n'.repeat(24_000)}  `;
    await line.turn('d-1', text);
    expect(line.kinds().slice(2)).toEqual(['prompt_accepted', 'turn_ended']);
    expect(line.events('prompt_accepted')).toEqual([{ kind: 'prompt_accepted', text, id: 'd-1' }]);
    expect(line.events('turn_ended')).toEqual([{ kind: 'turn_ended', message: 'OK.', backgroundTasks: 0 }]);
    expect(line.dialogue.fateOf('d-1')).toBe('accepted');
    expect(api.received('big')).toEqual([text]);
    expect(JSON.stringify(api.requests('big')[0]?.body)).toContain('You are a reviewer.');
    expect(readFileSync(join(codex.isolated.codexHome, 'config.toml'), 'utf8')).toBe(config);
  });

  test.concurrent('it reports that it is busy during a turn, and an interrupt ends the turn', async () => {
    await using codex = await start('busy');
    const line = await codex.connect();
    await line.opens();
    expect(line.dialogue.interrupt()).toBeUndefined();
    api.script('busy', { kind: 'stall', text: 'I begin' });
    line.send(line.dialogue.prompt('d-1', 'go on for ever'));
    await line.waitForLive('processing');
    await line.waitFor('prompt_accepted');
    await line.until('the request', () => api.requests('busy').length === 1);
    line.send(line.dialogue.interrupt());
    await line.waitFor('ready', 2);
    expect(await line.waitForLive('ready')).toEqual({ kind: 'ready', interrupted: true });
    await line.turn('d-2', 'something else');
    expect(line.dialogue.live).toEqual({ kind: 'ready' });
    expect(api.received('busy')).toEqual(['go on for ever', 'something else']);
  });

  test.concurrent('a command that was left in the background ends after its turn, and the agent stays ready', async () => {
    await using codex = await start('behind');
    const line = await codex.connect();
    await line.opens();
    const gate = join(codex.worktree, 'gate');
    api.script('behind', run(`until [ -e '${gate}' ]; do sleep 0.1; done`, { yield_time_ms: 250 }), OVER);
    await line.turn('d-1', 'leave it behind');
    writeFileSync(gate, '');
    const ended = line.messages.length;
    await line.until('the command to end', () => line.messages.slice(ended).some((text) => text.includes('"item/completed"')));
    expect(line.kinds().slice(2)).toEqual(['prompt_accepted', 'tool_started', 'turn_ended']);
    expect(line.dialogue.live).toEqual({ kind: 'ready' });
    expect(line.dialogue.interrupt()).toBeUndefined();
  });

  test.concurrent('a commit from the worktree needs no permission, a command outside it does; both answers take effect', async () => {
    await using codex = await start('asks', asking);
    const line = await codex.connect();
    await line.opens();
    api.script('asks', run('echo one > notes && git add notes && git commit --quiet -m Note'), OVER);
    await line.turn('d-1', 'commit it');
    expect(await codex.git(codex.worktree, 'log', '--format=%s')).toBe('Note\nBegin');
    expect(line.events('permission_opened')).toEqual([]);
    expect(line.kinds().slice(2)).toEqual(['prompt_accepted', 'tool_started', 'tool_finished', 'turn_ended']);

    const made = join(codex.isolated.home, 'made');
    api.script('asks', beyond(`touch ${made}`), OVER);
    line.send(line.dialogue.prompt('d-2', 'make it'));
    const [opened] = await line.waitFor('permission_opened');
    const always = `Yes, and don't ask again for commands that start with \`touch ${made}\``;
    const choices = ['Yes, proceed', always, 'No, and tell Codex what to do differently'];
    expect(opened).toEqual({ kind: 'permission_opened', tool: 'Bash', question: `touch ${made} (it has to be)`, choices });
    expect(line.dialogue.live).toEqual({ ...opened, kind: 'awaiting_permission' });
    expect(line.dialogue.answer('perhaps')).toBeUndefined();
    line.send(sentBy(line.dialogue.answer('yes')));
    await line.waitFor('turn_ended', 2);
    expect(existsSync(made)).toBe(true);
    expect(line.kinds().slice(-3)).toEqual(['dialog_closed', 'tool_finished', 'turn_ended']);

    api.script('asks', beyond(`rm ${made}`));
    line.send(line.dialogue.prompt('d-3', 'take it away'));
    await line.waitFor('permission_opened', 2);
    line.send(sentBy(line.dialogue.answer('3')));
    expect(await line.waitForLive('ready')).toEqual({ kind: 'ready', interrupted: true });
    expect(line.kinds().at(-1)).toBe('ready');
    expect(existsSync(made)).toBe(true);
  });

  test.concurrent('a question stays open for the next connection, which answers it', async () => {
    await using codex = await start('late', asking);
    const first = await codex.connect();
    await first.opens();
    api.script('late', beyond('true'), OVER);
    first.send(first.dialogue.prompt('d-1', 'may I?'));
    await first.waitFor('permission_opened');
    first.close();
    const second = await codex.connect({ kind: 'resume', id: first.id });
    const other = await codex.connect({ kind: 'resume', id: first.id });
    await second.waitForLive('awaiting_permission');
    await other.waitForLive('awaiting_permission');
    const asked = (line: typeof first) => line.allEvents.find(({ event }) => event.kind === 'permission_opened')?.id;
    expect(asked(second)).toBe(asked(first));
    expect(second.kinds()).not.toContain('dialog_closed');
    second.send(sentBy(second.dialogue.answer('1')));
    await other.waitFor('turn_ended');
    expect(other.kinds()).toContain('dialog_closed');
  });

  test.concurrent('a new connection reads the events it missed from the record, under the same ids and in order', async () => {
    await using codex = await start('missed');
    const first = await codex.connect();
    await first.opens();
    await first.turn('d-1', 'one');
    const release = Promise.withResolvers<void>();
    api.script('missed', { kind: 'text', text: 'Two.', finish: release.promise });
    first.send(first.dialogue.prompt('d-2', 'two'));
    await first.waitFor('prompt_accepted', 2);
    first.close();

    const during = await codex.connect({ kind: 'resume', id: first.id });
    await during.waitForLive('processing');
    expect(during.allEvents.map(({ id }) => id).slice(1, -1)).toEqual(first.allEvents.map(({ id }) => id).slice(2));
    expect(during.dialogue.timesRead).toBe(0);
    during.send(during.dialogue.readAgain());
    release.resolve();
    await during.waitFor('turn_ended', 2);
    // A record requested in the middle of a turn counts only once the turn is over.
    await during.until('the record', () => during.dialogue.timesRead === 1);

    const after = await codex.connect({ kind: 'resume', id: first.id });
    await after.opens();
    expect(after.dialogue.timesRead).toBe(1);
    expect(after.kinds()).toEqual(['session_started', 'prompt_accepted', 'turn_ended', 'prompt_accepted', 'turn_ended', 'ready']);
    expect([after.dialogue.fateOf('d-2'), after.dialogue.fateOf('d-3')]).toEqual(['accepted', 'unknown']);
  });

  test.concurrent('a server killed in mid-turn resumes its conversation with the prompts it received', async () => {
    await using codex = await start('killed');
    const first = await codex.connect();
    await first.opens();
    api.script('killed', { kind: 'stall', text: 'I begin' });
    first.send(first.dialogue.prompt('d-1', 'the word is BANANA'));
    await first.waitFor('prompt_accepted');
    await first.until('the request', () => api.requests('killed').length === 1);
    await codex.kill();
    await first.until('the connection to end', () => first.ended !== undefined);
    codex.launch();
    const second = await codex.connect({ kind: 'resume', id: first.id });
    await second.opens();
    expect(second.kinds()).toEqual(['session_started', 'prompt_accepted', 'ready', 'ready']);
    expect(second.events('session_started')).toEqual([{ kind: 'session_started', conversationId: first.id, source: 'resume' }]);
    await second.turn('d-2', 'go on');
    expect(api.received('killed')).toEqual(['the word is BANANA', 'go on']);
    expect(JSON.stringify(api.requests('killed').at(-1)?.body.input)).toContain('BANANA');
  });

  test.concurrent('a new conversation begins empty; one that never began cannot be resumed', async () => {
    await using codex = await start('new');
    const line = await codex.connect();
    await line.opens();
    await line.turn('d-1', 'the word is BANANA');
    const before = line.id;
    line.send(line.dialogue.startOver());
    expect(line.dialogue.conversationId).toBeNull();
    expect(line.dialogue.prompt('d-x', 'too early')).toBeUndefined();
    await line.opens();
    expect(line.id).not.toBe(before);
    expect(line.events('session_started').at(-1)).toEqual({ kind: 'session_started', conversationId: line.id, source: 'clear' });
    line.send(line.dialogue.readAgain());
    await line.until('the empty record', () => line.dialogue.timesRead === 1);

    const other = await codex.connect({ kind: 'resume', id: line.id });
    await other.until('the refusal', () => other.dialogue.problem !== undefined);
    expect(other.dialogue.problem).toMatch(/no rollout found/);

    await line.turn('d-2', 'what is the word?');
    expect(JSON.stringify(api.requests('new').at(-1)?.body.input)).not.toContain('BANANA');
  });

  test.concurrent('Codex refuses a prompt that is too long, and sends nothing to the API', async () => {
    await using codex = await start('long');
    const line = await codex.connect();
    await line.opens();
    line.send(line.dialogue.prompt('d-1', 'x'.repeat(1_048_577)));
    await line.until('the refusal', () => line.dialogue.fateOf('d-1') !== 'unknown');
    expect(line.dialogue.fateOf('d-1')).toEqual({ refused: 'Input exceeds the maximum length of 1048576 characters.' });
    expect(api.requests('long')).toEqual([]);
  });

  const resets = (Math.floor(Date.now() / 60_000) + 24 * 60) * 60;
  test.concurrent.for<[string, readonly Step[], object]>([
    ['limit', [usageLimit(resets)], { type: 'rate_limit', recoverable: true, resetsAt: resets * 1_000 }],
    [
      'quota',
      [{ kind: 'error', status: 429, error: { type: 'insufficient_quota', code: 'insufficient_quota' } }],
      { type: 'billing', recoverable: false },
    ],
    ['many', [slowDown, slowDown], { type: 'rate_limit', recoverable: true, resetsAt: null }],
    ['stranger', [refused(401, 'bad key'), refused(401, 'bad key')], { type: 'auth', recoverable: false }],
    ['broken', [refused(500, 'oh'), refused(500, 'oh'), refused(500, 'oh'), refused(500, 'oh')], { type: 'api', recoverable: true }],
    ['wrong', [refused(400, 'bad thing')], { type: 'invalid_request', recoverable: false }],
    ['full', [{ kind: 'failed', code: 'server_is_overloaded', message: 'busy' }], { type: 'overloaded', recoverable: true }],
    ['crowded', [{ kind: 'failed', code: 'context_length_exceeded', message: 'no' }], { type: 'context_full', recoverable: false }],
    [
      'still',
      [
        { kind: 'stall', text: 'ha' },
        { kind: 'stall', text: 'ha' },
      ],
      { type: 'network', recoverable: true },
    ],
  ])('a turn that fails reports why: %s', async ([name, steps, expected]) => {
    await using codex = await start(name, { provider: FEW_RETRIES });
    const line = await codex.connect();
    await line.opens();
    api.script(name, ...steps);
    await line.turn('d-1', 'try it');
    expect(line.events('turn_failed')).toEqual([expect.objectContaining(expected)]);
    const failed = line.allEvents.at(-1);
    line.send(line.dialogue.readAgain());
    await line.until('the record', () => line.dialogue.timesRead === 1);
    expect(line.allEvents.at(-1)).toEqual(failed);
    expect(line.dialogue.live?.kind).toBe(name === 'limit' ? 'waiting_limit' : 'error');
    await line.turn('d-2', 'try it again');
    expect(line.dialogue.live).toEqual({ kind: 'ready' });
    expect(api.unused(name)).toBe(0);
  });
});
