import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../../../../../test/repo/scratch.ts';
import { makeLayout } from '../../../../store/layout.ts';
import { systemFiles } from '../../../../system/files/system-files.ts';
import { asTyped } from '../../../../workers/prompt/as-typed.ts';
import { taskPrompt } from '../../../../workers/prompt/prompts.ts';
import { aConfig, aWorker } from '../../../../workers/samples.ts';
import { findAgent } from '../../../registry.ts';
import type { OpenTurn } from '../conversation.ts';
import { NO_SCENARIO, type Scenario, type Step, type Turn } from '../scenario/step.ts';
import { chooseTurn, stepsOf } from './plan.ts';
import { asksToGoOn, fillIn, gistOf, taskOf } from './task.ts';

const say = (text: string): Step => ({ kind: 'say', text });
const turn = (text: string, when?: RegExp): Turn => ({ misbehave: [], steps: [say(text)], ...(when && { when }) });
const scenario: Scenario = { ...NO_SCENARIO, turns: [turn('bug', /bug/i), turn('first'), turn('second'), turn('rest', /./s)] };
const open: OpenTurn = { turn: null, prompt: 'Add a page', at: Date.UTC(2026, 10, 15), files: [], answers: [], done: 0 };

describe('the plan', () => {
  test.for([
    ['Fix the BUG', [], 0],
    ['hello', [], 1],
    ['hello', [1], 2],
    ['hello', [1, 2], 3],
    ['a bug again', [0, 1, 2], 0],
  ] as const)('gives "%s" after %j the turn that fits', ([prompt, used, index]) => {
    expect(chooseTurn(scenario, used, prompt)).toBe(index);
  });

  test('falls back to the built-in behaviour', () => {
    expect(chooseTurn({ ...NO_SCENARIO, turns: [turn('only')] }, [0], 'more')).toBeNull();
  });

  test('of the built-in behaviour changes one file per worker and commits with attribution lines that accept removes', () => {
    const steps = stepsOf(NO_SCENARIO, open, 'adam');
    expect(steps).toContainEqual({
      kind: 'edit',
      path: 'llmc-demo/adam.md',
      change: { how: 'append', text: '- 2026-11-15: Add a page\n' },
    });
    const commit = steps.find((step) => step.kind === 'commit');
    expect(commit?.message).toMatch(/^Add a page\n\n[\s\S]*^🤖 Generated with .*\n\nCo-Authored-By: .* <noreply@.*>$/m);
  });

  test('of the built-in behaviour leaves the files that the task asks for, and commits nothing', () => {
    const steps = stepsOf(NO_SCENARIO, { ...open, files: [{ path: 'findings.md' }, { path: 'verdict.yaml' }] }, 'adam');
    expect(steps.flatMap((step) => (step.kind === 'leave' ? [step.file] : []))).toEqual(['findings.md', 'verdict.yaml']);
    expect(steps.filter(({ kind }) => kind === 'commit' || kind === 'edit')).toEqual([]);
  });

  test('of the built-in behaviour answers a task that must not change a file', () => {
    const prompt = taskPrompt(aWorker({ expects: 'answer' }), '/root', aConfig(), 'Why is it slow?');
    expect(stepsOf(NO_SCENARIO, { ...open, prompt }, 'adam').map(({ kind }) => kind)).toEqual(['take', 'say']);
    const quoted = taskPrompt(aWorker(), '/root', aConfig(), 'Explain: Change no files and commit nothing');
    expect(stepsOf(NO_SCENARIO, { ...open, prompt: quoted }, 'adam').map(({ kind }) => kind)).toContain('commit');
  });

  test('puts the steps of earlier answers in their places', () => {
    const ask: Step = { kind: 'ask', question: '?', choices: ['A', 'B'], freeText: false, answers: { A: [say('a')], other: [say('o')] } };
    const asking: Scenario = { ...NO_SCENARIO, turns: [{ misbehave: [], steps: [ask, ask, say('end')] }] };
    const answers = [
      { step: 0, answer: 'A' },
      { step: 2, answer: 'whatever' },
    ];
    expect(stepsOf(asking, { ...open, turn: 0, answers }, 'adam')).toEqual([ask, say('a'), ask, say('o'), say('end')]);
  });
});

describe('the task of a prompt', () => {
  test.for([
    ['plain', 'plain'],
    ['You are adam.\n## Task\nAdd a page\n', 'Add a page'],
    ['## Task\n', '## Task'],
    ['## Tasks\nnone', '## Tasks\nnone'],
    ['Sent back.\n## Feedback\nMore words\n\n## What was reviewed\n+words', 'More words'],
    ['Your instructions are in the file /nowhere because', 'Your instructions are in the file /nowhere because'],
  ] as const)('of %j is %j', ([prompt, task]) => {
    expect(taskOf(prompt)).toBe(task);
  });

  test('is in the file, when the prompt only says where to read it', () => {
    using scratch = scratchFolder();
    const task = 'Add a page\n'.repeat(100_000);
    const { text } = asTyped({ layout: makeLayout(scratch.path), files: systemFiles }, findAgent('demo'), {
      worker: 'adam',
      text: `You are adam.\n## Task\n${task}`,
      id: 'd-1',
      purpose: 'task',
    });
    expect(text.length).toBeLessThan(1_000);
    expect(taskOf(text)).toBe(task.trim());
    expect(gistOf(text)).toBe('Add a page');
    expect(chooseTurn({ ...NO_SCENARIO, turns: [turn('first', /page/)] }, [], text)).toBe(0);
  });

  test('has a gist that fits a commit subject', () => {
    expect(gistOf('Add a greeting to the page. Then rest.')).toBe('Add a greeting to the page');
    expect(gistOf('Use v1.2 of it')).toBe('Use v1.2 of it');
    expect(Array.from(gistOf('漢'.repeat(200)))).toHaveLength(60);
    expect(gistOf('\n\n')).toBe('a task');
    expect(gistOf('Build this:\n\nAdd a page')).toBe('Add a page');
    expect(gistOf('Build this:')).toBe('Build this:');
  });

  test('recognises many ways to say continue', () => {
    expect(['continue', 'Please carry on.', 'Go on with the task', 'resume'].map(asksToGoOn)).toEqual([true, true, true, true]);
    expect(['Fix the discontinued page', 'Add a résumé page'].map(asksToGoOn)).toEqual([false, false]);
  });

  test('fills in the words it knows only', () => {
    expect(fillIn('{{worker}} {{other}} {worker}', { worker: 'adam' })).toBe('adam {{other}} {worker}');
  });
});
