import { describe, expect, test } from 'vitest';
import { claudeWorld, program } from './llmc-world.ts';

describe.skipIf(program === undefined)('a task for the real Claude Code', () => {
  test('an edit and a commit wait for review', async () => {
    const began = Date.now();
    const lap = (what: string) => console.log(what, Date.now() - began);
    await using world = await claudeWorld({ workers: ['adam'] });
    lap('up');
    world.script(
      'adam',
      { kind: 'tool', name: 'Bash', input: { command: 'echo sea >> README.md && git commit -qam "Add the sea"', description: 'Commit' } },
      { kind: 'text', text: 'Done.' },
    );
    await world.ok('start', '--prompt', 'Add a line about the sea');
    lap('start');
    await world.reaches('adam', 'needs_review');
    lap('review');
    expect(world.received('adam')).toEqual([expect.stringContaining('Add a line about the sea')]);
    console.log(world.deliveries('adam'));
    console.log(await world.ok('why', 'adam'));
  });
});
