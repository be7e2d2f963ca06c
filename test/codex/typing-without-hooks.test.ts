import { expect, test } from 'vitest';
import { codexWorld, program } from './llmc-world.ts';
import type { Step } from './responses-steps.ts';

const commits = (message: string): Step => ({
  kind: 'tool',
  name: 'exec_command',
  input: { cmd: `echo "${message}" > notes.txt && git add notes.txt && git commit -qm "${message}"` },
});
const OVER: Step = { kind: 'text', text: 'Done.' };

test.skipIf(program === undefined)(
  'llmc reads a Codex without hooks by its screen and title, and each task has its own conversation',
  async () => {
    // A slow machine needs this long to show what was typed. After half of it, llmc believes the screen.
    const config = '[delivery]\nack_timeout_ms = 12000';
    await using world = await codexWorld({ workers: ['mute'], channel: 'typing', args: ['--disable', 'hooks'], config });
    world.script('mute', commits('Add the sea'), OVER, commits('Add the wind'), OVER);
    await world.ok('start', '--worker', 'mute', '--prompt', 'Write about the sea');
    await world.reaches('mute', 'needs_review');
    await world.ok('accept', 'mute');
    await world.ok('start', '--worker', 'mute', '--prompt', 'Write about the wind');
    await world.reaches('mute', 'needs_review');
    expect(world.deliveries('mute')).toMatchObject([
      { attempt: 1, ack_source: 'screen' },
      { attempt: 1, ack_source: 'screen' },
    ]);
    expect(world.received('mute').map((text) => text.split('\n').at(-1))).toEqual(['Write about the sea', 'Write about the wind']);
    expect(JSON.stringify(world.api.requests('mute').at(-1)?.body)).not.toContain('Write about the sea');
    expect(world.incarnation('mute')).toBe(1);
  },
);
