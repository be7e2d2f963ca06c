import { expect, test } from 'vitest';
import { scratchStore } from '../../../test/support/scratch-store.ts';
import type { Command } from '../../base/command.ts';
import type { Processes } from '../../base/ports.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { aConfig, aState } from '../../workers/samples.ts';
import { CRASH, review, Story, swarmPlan, work } from '../../workflow/next/samples.ts';
import { DEFAULT_ANSWERS } from '../../workflow/policy.ts';
import { runCaller } from './notify-run.ts';

/** Tells a person about the decisions of a story, and returns what was heard. */
async function heard(story: Story, tell: (story: Story) => Story) {
  using scratch = scratchStore(aState());
  const ran: Command[] = [];
  const processes: Processes = {
    run: async (command) => {
      ran.push(command);
      return { command, outcome: { kind: 'exited', status: 0 }, stdout: '', stderr: '', truncated: false };
    },
  };
  const config = { ...aConfig(), notify: { ...aConfig().notify, command: 'tell-me' } };
  const store = scratch.open();
  let bells = 0;
  const announce = runCaller(
    {
      store,
      processes,
      terminal: new Terminal('/nowhere/tmux.sock', processes),
      layout: scratch.layout,
      clock: scratch.clock,
      config: () => Promise.resolve(config),
      signal: new AbortController().signal,
    },
    ({ bell }) => {
      if (bell) bells += 1;
    },
  );
  const before = story.run;
  const after = tell(story).run;
  await announce(before, after);
  await announce(after, after);
  return { bells, env: ran.map(({ env }) => env), input: ran.map(({ stdin }) => stdin) };
}

test('a new question of a run rings once and says what to type', async () => {
  const asks = (story: Story) => story.tell({ kind: 'asked', action: story.action('research'), question: 'Which\u202e database?' });
  const { bells, env } = await heard(new Story(), asks);
  expect(bells).toBe(1);
  expect(env).toMatchObject([{ LLMC_RUN: 'swarm-1', LLMC_WORKER: '', LLMC_STATUS: 'waiting', LLMC_REASON_KIND: 'blocked' }]);
  expect(env[0]?.LLMC_REASON).toMatch(/^research: Which.+database\? \(answer, skip, abort\): llmc decide swarm-1#1$/);
  expect(env[0]?.LLMC_REASON).not.toContain('\u202e');
  expect(env[0]).toMatchObject({ LLMC_QUESTION: 'Which<U+202E> database?', LLMC_CHOICES: 'answer\nskip\nabort' });
  expect(env[0]?.LLMC_TEXT?.split('\n')).toEqual([
    'research: Which<U+202E> database?',
    expect.stringMatching(/^answer.* · skip · abort$/),
    expect.stringMatching(/^Since .+: llmc decide swarm-1#1 <option>$/),
  ]);
});

test('a question that only the terminal of the agent can answer names that terminal', async () => {
  const terminal = 'swarm-1-researcher';
  const asks = (story: Story) => story.tell({ kind: 'asked', action: story.action('research'), question: 'Log in', terminal });
  const { env } = await heard(new Story(), asks);
  expect(env[0]).toMatchObject({
    LLMC_REASON: expect.stringMatching(/: llmc attach swarm-1-researcher$/),
    LLMC_ANSWER_WITH: 'llmc attach swarm-1-researcher',
  });
});

test('the question of a review that a person does has its prompt', async () => {
  const prompt = 'Compare it with {{research.commit}}:\u202e\n- the tests';
  const stages = [work('research', 'researcher'), review('look', 'research', { by: { kind: 'person' }, prompt })];
  const { env, input } = await heard(new Story({ ...swarmPlan(), stages }), (story) => story.work('research', 'c1'));
  expect(env).toMatchObject([{ LLMC_REASON_KIND: 'approval', LLMC_TASK: 'Compare it with c1:<U+202E>\n- the tests' }]);
  expect(env[0]?.LLMC_TEXT?.split('\n').slice(0, 2)).toEqual([
    'look: Approve the result of research?',
    'Compare it with c1:<U+202E> ⏎ - the tests',
  ]);
  expect(JSON.parse(input[0] ?? '')).toMatchObject({ run: { prompt: 'Compare it with c1:<U+202E>\n- the tests' } });
});

test('a run that failed rings, one that is done or aborted does not', async () => {
  const fails = (story: Story) => {
    for (let crashes = 0; crashes < 4; crashes += 1) story.crash('develop').tick(10_000);
    return story;
  };
  const { bells, env } = await heard(new Story().work('research'), fails);
  expect(bells).toBe(1);
  expect(env).toMatchObject([{ LLMC_STATUS: 'failed', LLMC_REASON: `${CRASH.message}: llmc report swarm-1` }]);
  expect(await heard(new Story(), (story) => story.tell({ kind: 'abort', why: 'enough' }))).toMatchObject({ bells: 0, env: [] });
});

test('a failure that the run goes on from rings once, if its workflow asks for it', async () => {
  const plan = (notify?: true) => {
    const timeout = { after: 1, steps: [{ kind: 'skip', mark: 'late', ...(notify && { notify }) }] } as const;
    return {
      ...swarmPlan(),
      stages: [work('one', 'researcher', { timeoutMs: 60_000, onFailure: { timeout } }), work('two', 'researcher')],
    };
  };
  const isLate = (story: Story) => story.tell({ kind: 'started', action: story.action('one') }).tick(60_000);
  const { bells, env } = await heard(new Story(plan(true)), isLate);
  expect(bells).toBe(1);
  expect(env).toMatchObject([
    {
      LLMC_RUN: 'swarm-1',
      LLMC_STATUS: 'running',
      LLMC_REASON_KIND: 'AGENT_TIMEOUT',
      LLMC_CHOICES: '',
      LLMC_REASON: 'one takes longer than it may (1m); the run goes on, marked late: llmc show swarm-1',
    },
  ]);
  expect(await heard(new Story(plan()), isLate)).toMatchObject({ bells: 0, env: [] });
});

test('a question that answers itself rings again half-way, once', async () => {
  const timeout = { after: 1, steps: [{ kind: 'ask', options: [] }] } as const;
  const stages = [work('one', 'researcher', { timeoutMs: 60_000, onFailure: { timeout } })];
  const story = new Story({ ...swarmPlan(), stages }, { answers: DEFAULT_ANSWERS });
  story.tell({ kind: 'started', action: story.action('one') }).tick(60_000);
  const { bells, env } = await heard(story, () => story.tick(150_000).tick(30_000));
  expect(bells).toBe(1);
  expect(env).toMatchObject([{ LLMC_STATUS: 'waiting', LLMC_REASON_KIND: 'timeout' }]);
  expect(env[0]?.LLMC_REASON).toMatch(/^one: nobody has answered #1 yet, extend by itself in .+: llmc decide swarm-1#1$/);
  expect(env[0]?.LLMC_TEXT).toMatch(/^extend by itself at .+$/m);
  expect(env[0]?.LLMC_DEADLINE_UNIX).toMatch(/^\d+$/);
  expect(await heard(story, () => story.tick(30_000))).toMatchObject({ bells: 0, env: [] });
});
