import { expect, test } from 'vitest';
import { z } from 'zod';
import { scratchTmux } from '../support/scratch-tmux.ts';
import { openView } from '../support/view.ts';
import { perform, press, rest } from '../support/view-keys.ts';
import { llmcWorld } from '../support/world.ts';

const SENTENCE = 'can you now fix the login? I need it today';

test('what is typed or pasted while no field is open becomes neither a task nor a message by its own enter', async () => {
  await using world = await llmcWorld({ workers: ['adam'] });
  await using outside = await scratchTmux();
  const view = await openView(outside, world);
  await view.shows(/^▌adam +idle/);
  const target = '=view:';
  const waits = async () => {
    await view.shows(/^task› .*fix the login/);
    await view.keys('Escape');
    await view.shows(/^› .*fix the login/);
    await view.keys('n', 'C-a', 'C-k');
    await view.shows(/^task› *$/);
    await view.keys('Escape');
    await view.shows(/^› n: a task/);
  };

  // A program that types, and a paste that the terminal does not mark.
  await outside.tmux(['send-keys', '-t', target, '-l', `${SENTENCE}\r`]);
  await waits();
  await outside.tmux(['load-buffer', '-b', 'stray', '-'], `${SENTENCE}\nand this\n`);
  await outside.tmux(['paste-buffer', '-b', 'stray', '-t', target]);
  await waits();
  await outside.tmux(['paste-buffer', '-p', '-b', 'stray', '-t', target, ';', 'send-keys', '-t', target, 'Enter']);
  await waits();

  expect(await world.json(z.object({ tasks: z.array(z.unknown()) }), 'queue', 'list', '--all')).toEqual({ tasks: [] });
  expect((await world.worker('adam')).status).toBe('idle');

  // A person who wants it: the field is open, so one enter sends.
  await view.keys('n');
  await view.shows(/^task› *$/);
  await view.type(SENTENCE);
  await perform([rest('the field'), press('typing', 'enter', /^▌adam +(working|new work)/)], view, outside);
  expect((await world.worker('adam')).current_prompt).toContain('fix the login');
  // The command line completes like a shell.
  await view.keys(':');
  await view.shows(/^: llmc›/);
  await view.type('revi');
  await view.keys('Tab');
  await view.shows(/^: llmc› review *$/);
  await view.type('a');
  await view.keys('Tab');
  await view.shows(/^: llmc› review adam *$/);
  await view.keys('Escape');
  // The work shows its size in the list as soon as it is measured.
  await view.shows(/^▌ +\+1 −0, 1 file · Done/);
  expect(await world.ok('status')).toContain('↳ +1 −0, 1 file. Review it: llmc review adam');
});
