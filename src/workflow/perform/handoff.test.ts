import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { errorRecord } from '../../recovery/error-record.ts';
import { treeFiles } from '../../system/files/tree-files.ts';
import { newRun, swarmPlan } from '../next/samples.ts';
import { Exchange } from './exchange.ts';
import { handoffNote } from './handoff.ts';

const exchange = new Exchange(treeFiles);
const error = errorRecord({
  id: 'x',
  code: 'AGENT_CRASHED',
  message: 'status 1\u001b[2J',
  component: 'develop',
  at: 0,
  context: { agent: 'claude', tries: 2 },
});
const run = {
  ...newRun(swarmPlan(), 0),
  roles: { developer: { agent: 'fallback', unavailable: false, replaced: error, letters: [] } },
} as const;
const handed = (worktree: string) => ({ step: 'develop', role: 'developer', agent: 'fallback', worktree, keeps: true }) as const;

let worktree: string;
beforeEach(() => {
  worktree = mkdtempSync(join(tmpdir(), 'llmc-handoff-'));
  mkdirSync(join(worktree, '.llmc-task/out'), { recursive: true });
  return () => rmSync(worktree, { recursive: true, force: true });
});

test('the agent that takes over learns who failed and why, how far it was, and what it left', async () => {
  writeFileSync(join(worktree, '.llmc-task/out/progress.yaml'), 'done: 2\ntotal: 5\nnote: tests\n');
  writeFileSync(join(worktree, '.llmc-task/out/notes.md'), 'x');
  const { path, text } = await handoffNote(exchange, run, handed(worktree));
  expect(path).toBe('handoff.md');
  expect(text.split('\n')).toEqual([
    '# Handoff',
    '',
    'claude began this task and could not finish it: status 1<U+001B>[2J. It had 2 attempts.',
    'Its commits and its changes are in this worktree: see git log and git status.',
    'It said that 2 of 5 were done (tests).',
    'Files that it left, perhaps not complete:',
    '- .llmc-task/out/notes.md',
    '',
  ]);
});

test('an agent whose worktree is new is told so, and one that comes back gets no note about itself', async () => {
  expect((await handoffNote(exchange, run, { ...handed(worktree), keeps: false })).text).toContain('Its worktree is gone');
  expect((await handoffNote(exchange, run, { ...handed(worktree), agent: 'own' })).text).not.toContain('claude');
});
