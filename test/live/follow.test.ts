import { expect, test } from 'vitest';
import { version } from '../../src/cli/package-version.ts';
import { Shell } from '../../src/cli/shell.ts';
import { type Followed, followRoot } from '../../src/cli/ui/live/follow-root.ts';
import { followScreen } from '../../src/cli/ui/live/follow-screen.ts';
import { llmcWorld, type World } from '../support/world.ts';

const SCENARIO = `
turns:
  - steps: [{ edit: { path: a.txt, content: "a\\n" } }, { commit: Add a }, { say: I added a. }]
`;

function shellOf(world: World): Shell {
  const flags = { json: false, quiet: true, verbose: false, color: false, yes: false, patrol: true };
  return new Shell({ ...flags, root: world.root, version: version(), declarations: [] }, () => Promise.reject(new Error('not asked')));
}

/** The first of the next items that fits. */
async function next<Item>(items: AsyncIterator<Item>, fits: (item: Item) => boolean): Promise<Item> {
  for (;;) {
    const { value, done } = await items.next();
    if (done === true) throw new Error('it has ended');
    if (fits(value)) return value;
  }
}

const isRunning = (followed: Followed) => followed.kind === 'status' && followed.report.supervisor.running;

test('a turn, a kill of the supervisor, its return and its end reach a follower, and so does the screen', async () => {
  await using world = await llmcWorld({ workers: ['adam'], scenario: SCENARIO });
  const left = new AbortController();
  const shell = shellOf(world);
  const status = followRoot(shell, left.signal)[Symbol.asyncIterator]();
  const screen = followScreen(shell, 'adam', { columns: 80, rows: 60 }, left.signal)[Symbol.asyncIterator]();
  const shows = async (text: string) => await next(screen, (lines) => lines.some((line) => line.some((span) => span.text.includes(text))));
  try {
    await next(status, isRunning);
    await shows('demo agent');
    await world.ok('start', '--worker', 'adam', '--prompt', 'Add a', '--wait', '--timeout', '90s');
    await next(status, (followed) => followed.kind === 'status' && followed.report.workers[0]?.status === 'needs_review');
    await shows('I added a.');
    const said = await world.ok('logs', 'adam', '--conversation');
    expect(said).toMatch(/you \(task\):\n {2}Add a\n\n.* agent:\n {2}I added a\./);

    await world.killSupervisor();
    expect(await next(status, ({ kind }) => kind === 'lost')).toMatchObject({ why: expect.stringContaining('llmc up --detach') });
    await shows('llmc up --detach');
    await world.comeUp();
    await next(status, isRunning);
    await shows('demo agent');

    await world.ok('down');
    const lost = await next(status, ({ kind }) => kind === 'lost');
    expect(lost).toMatchObject({ why: expect.stringContaining('the supervisor was stopped') });
  } finally {
    left.abort();
  }
});
