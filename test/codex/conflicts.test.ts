import { afterAll, beforeAll, describe, test } from 'vitest';
import { beginLists, dropsALine, type Moves, resolvesRightly } from '../support/conflict-story.ts';
import { type CodexWorld, codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

/** A patch that replaces a file: for Codex, adding a file that exists writes over it. */
const patch = (file: string, text: string): string =>
  [
    '*** Begin Patch',
    `*** Add File: ${file}`,
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `+${line}`),
    '*** End Patch',
  ].join('\n');

describe.skipIf(program === undefined)('a conflict for the real Codex', () => {
  let opening: Promise<CodexWorld>;
  let world: CodexWorld;
  let moves: Moves<Step>;
  beforeAll(async () => {
    opening = codexWorld({ workers: ['right', 'drops'] });
    world = await opening;
    moves = {
      script: (worker, ...steps) => world.script(worker, ...steps),
      run: (cmd) => ({ kind: 'tool', name: 'exec_command', input: { cmd } }),
      write: (_worktree, file, text) => [{ kind: 'freeform', name: 'apply_patch', input: patch(file, text) }],
      say: (text) => ({ kind: 'text', text }),
    };
    await beginLists(world, 'right', 'drops');
  });
  // Runs also when the world took too long to open.
  afterAll(async () => (await opening)[Symbol.asyncDispose]());

  test('resolved with its own tools, it is proven and lands', () => resolvesRightly(world, 'right', moves));
  test('a line of main that it drops is found, goes back, and stops the accept', () => dropsALine(world, 'drops', moves));
});
