import { join } from 'node:path';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { beginLists, dropsALine, type Moves, resolvesRightly } from '../support/conflict-story.ts';
import type { Step } from './api-steps.ts';
import { type ClaudeWorld, claudeWorld, program } from './llmc-world.ts';

const tool = (name: string, input: Readonly<Record<string, unknown>>): Step => ({ kind: 'tool', name, input });

describe.skipIf(program === undefined)('a conflict for the real Claude Code', () => {
  let opening: Promise<ClaudeWorld>;
  let world: ClaudeWorld;
  let moves: Moves<Step>;
  beforeAll(async () => {
    opening = claudeWorld({ workers: ['right', 'drops'] });
    world = await opening;
    moves = {
      script: (worker, ...steps) => world.script(worker, ...steps),
      run: (command) => tool('Bash', { command, description: 'Work' }),
      // Claude Code writes over a file only if it has read it.
      write: (worktree, file, content) => [
        tool('Read', { file_path: join(worktree, file) }),
        tool('Write', { file_path: join(worktree, file), content }),
      ],
      say: (text) => ({ kind: 'text', text }),
    };
    await beginLists(world, 'right', 'drops');
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  test('resolved with its own tools, it is proven and lands', () => resolvesRightly(world, 'right', moves));
  test('a line of main that it drops is found, goes back, and stops the accept', () => dropsALine(world, 'drops', moves));
});
