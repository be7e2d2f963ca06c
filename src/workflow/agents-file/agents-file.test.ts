import { describe, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { forEach, swarmPlan, work } from '../next/samples.ts';
import { Told } from '../view/told.fixture.ts';
import { type AgentsFile, readAgentsFile, resolveAgents } from './agents-file.ts';
import { agentsFor } from './agents-for.ts';

const FILE: AgentsFile = {
  default: { primary: 'claude', fallback: 'codex' },
  tasks: { review: { primary: 'codex', fallback: false } },
  complexity: { high: { fallback: 'opencode', tasks: { review: { primary: 'claude' } } } },
  stories: { s3: { primary: 'codex', tasks: { develop: { fallback: 'claude' } } } },
};

test.each([
  [{}, 'claude', 'codex'],
  [{ task: 'review' }, 'codex', false],
  [{ complexity: 'high' }, 'claude', 'opencode'],
  [{ complexity: 'high', task: 'review' }, 'claude', 'opencode'],
  [{ story: 's3' }, 'codex', 'codex'],
  [{ story: 's3', task: 'develop', complexity: 'high' }, 'codex', 'claude'],
  [{ story: 'constructor', task: 'toString', complexity: '__proto__' }, 'claude', 'codex'],
])('%j is done by %s, then %s', (asked, primary, fallback) => {
  expect(resolveAgents(FILE, asked)).toEqual({ primary, fallback });
});

test('an agents file is checked as a whole, with the place of each problem and the nearest word', () => {
  expect(readAgentsFile(FILE)).toEqual({ kind: 'agents', file: FILE });
  expect(readAgentsFile(null)).toEqual({ kind: 'agents', file: {} });
  expect(problemsIn({ default: { primay: 'claude', fallback: true }, storis: {}, tasks: { develop: 'codex' } })).toEqual([
    'default.fallback: found true, expected the name of an agent, or false',
    'unknown key "primay" in default; did you mean "primary"?',
    'tasks.develop: found the string "codex", expected a mapping',
    'unknown key "storis" at the top level; did you mean "stories"?',
  ]);
  expect(problemsIn('hello')).toEqual(['the file is not a mapping; expected default, tasks, complexity, stories']);
});

test('a misspelt key does not hide an agent that is not there', () => {
  expect(problemsIn({ default: { primay: 'claude', fallback: 'cdex' } }, ['claude', 'codex'])).toEqual([
    'unknown key "primay" in default; did you mean "primary"?',
    'default.fallback: there is no agent "cdex"; did you mean "codex"?',
  ]);
});

test('an agent that is not there is named, with the one that was meant', () => {
  const known = ['claude', 'codex', 'demo'];
  expect(readAgentsFile({ default: { primary: 'claude', fallback: false } }, known).kind).toBe('agents');
  const wrong = { default: { primary: 'cdex' }, stories: { s1: { tasks: { develop: { fallback: 'gemini' } } } } };
  expect(problemsIn(wrong, known)).toEqual([
    'default.primary: there is no agent "cdex"; did you mean "codex"?',
    'stories.s1.tasks.develop.fallback: there is no agent "gemini"; the agents are claude, codex, demo',
  ]);
});

function problemsIn(value: unknown, known?: readonly string[]): readonly string[] {
  const reading = readAgentsFile(value, known);
  return reading.kind === 'agents' ? [] : reading.problems.map(({ message }) => message);
}

describe('the agents of an item', () => {
  const stories = forEach('stories', [work('develop', 'developer')], { key: 'id', agents: 'inputs.agents' });
  const told = () =>
    new Told({ ...swarmPlan(), stages: [stories] }, { list: [{ id: 's1' }, { id: 's3', complexity: 'high' }], agents: FILE });

  test('are those of the file, else those of the role', () => {
    const { run } = told();
    expect(agentsFor(run, 'developer', 'develop/s1')).toMatchObject({ agent: 'claude', fallback: 'codex' });
    expect(agentsFor(run, 'developer', 'develop/s3')).toMatchObject({ agent: 'codex', fallback: 'claude' });
    expect(agentsFor({ ...run, inputs: {} }, 'developer', 'develop/s3')).toMatchObject({ agent: undefined, fallback: 'codex' });
  });

  test('name the session of the one that takes over', () => {
    const story = told();
    const error = errorRecord({ id: 'x', code: 'AGENT_CRASHED', message: 'status 1', component: '', at: 0 });
    for (let times = 0; times < 2; times += 1)
      story.reply('develop/s3', { kind: 'started' }).reply('develop/s3', { kind: 'crashed', error }).tell({ kind: 'tick' }, 10_000);
    const last = story.actions.findLast(({ step, task }) => step === 'develop/s3' && task.kind === 'attempt')?.task;
    expect(last).toMatchObject({ agent: 'fallback', session: '-claude' });
  });
});
