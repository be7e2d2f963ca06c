import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Screen } from '../../src/terminal/screen.ts';
import { aWorkerReport } from '../../src/tui/samples.ts';
import { isFullRun } from '../support/full-run.ts';
import { type ScratchTmux, scratchTmux, until } from '../support/scratch-tmux.ts';
import { StandInRoot } from '../support/stand-in-root.ts';
import { type OpenView, openView } from '../support/view.ts';

const NAMES = Array.from({ length: 50 }, (_, index) => `w${String(index + 1).padStart(2, '0')}`);
const FIRST = 'w01';
const LAST = 'w50';
/** The ages of all workers stay the same during the test, so that two screens can be compared. */
const LONG_AGO = Math.floor(Date.now() / 1_000) - 3 * 86_400 - 3_600;

const SIZES: readonly [number, number][] = [
  [60, 20],
  [80, 24],
  [120, 40],
  [200, 60],
  [300, 100],
  // From large to small, and where list and pane take turns.
  [60, 20],
  [300, 100],
  [40, 12],
  [25, 6],
];

let root: StandInRoot;
let outside: ScratchTmux;

beforeAll(async () => {
  const workers = NAMES.map((name) => aWorkerReport(name, { status: 'working', current_prompt: 'Rest', last_activity_unix: LONG_AGO }));
  root = await new StandInRoot(workers).serve();
  outside = await scratchTmux();
});
afterAll(async () => {
  await outside?.[Symbol.asyncDispose]();
  await root?.[Symbol.asyncDispose]();
});

const isSelected = (name: string) => (line: string) => line.startsWith('▌') && line.includes(name);

/** A screen that is filled from the first to the last row, and has each worker once at most. */
function isWhole({ lines }: Screen, width: number, height: number): boolean {
  if (lines.length !== height || !/^(enter attach|esc back)/.test(lines[height - 1] ?? '')) return false;
  if (!lines[0]?.includes(height < 16 ? '50 working' : 'llmc')) return false;
  const list = lines.map((line) => line.slice(0, Math.min(width, 40))).flatMap((line) => /^[ ▌](w\d\d) /.exec(line)?.[1] ?? []);
  return new Set(list).size === list.length && lines.every((line) => line.length <= width);
}

async function fits(view: OpenView, width: number, height: number): Promise<void> {
  const at = async (name: string) =>
    void (await view.waitFor(
      `${name} at ${width}×${height}`,
      (screen) => isWhole(screen, width, height) && screen.lines.some(isSelected(name)),
    ));
  await view.keys('G');
  await at(LAST);
  await view.keys('g');
  await at(FIRST);
}

test('50 workers at every size, resized while it is open and opened again, also where there is almost no room', async () => {
  const view = await openView(outside, root, 'sizes', { width: 300, height: 100 });
  await view.shows(/50 working/);
  for (const [index, [width, height]] of SIZES.entries()) {
    await view.resize(width, height);
    await fits(view, width, height);
    if (!isFullRun && width !== 80) continue;
    const fresh = await openView(outside, root, `fresh-${index}`, { width, height });
    await agree(view, fresh);
    await leave(fresh);
  }
  await view.resize(8, 2);
  await view.waitFor('two rows', ({ height }) => height === 2);
  await view.resize(120, 40);
  await fits(view, 120, 40);
  await leave(view);
});

/** Waits until both show the same, apart from the line that tells how long the supervisor runs. */
async function agree(one: OpenView, other: OpenView): Promise<void> {
  const body = ({ lines }: Screen) => lines.slice(1).join('\n');
  await one.waitFor('the selected worker', ({ lines }) => lines.some((line) => line.startsWith('▌')));
  await other.waitFor('the selected worker', ({ lines }) => lines.some((line) => line.startsWith('▌')));
  // Either may still have keys to read, so capture both each time.
  let bodies: readonly string[] = [];
  const isSame = async () => {
    bodies = await Promise.all([one, other].map(async (view) => body(await view.screen())));
    return bodies[0] === bodies[1];
  };
  await until('two views to show the same', isSame).catch((cause: unknown) => {
    throw new Error(`two views differ:\n${bodies.join('\n---\n')}`, { cause });
  });
}

async function leave(view: OpenView): Promise<void> {
  await view.keys('Q');
  await view.shows(/status 0/);
}

/** Sends 100 events per second until it is told to end; the number of the last event of each worker. */
function burst(): { readonly count: () => number; end(): ReadonlyMap<string, number> } {
  const latest = new Map<string, number>();
  const began = performance.now();
  let count = 0;
  const catchUp = () => {
    for (; count < (performance.now() - began) / 10; count += 1) {
      const name = NAMES[count % NAMES.length] ?? FIRST;
      latest.set(name, count);
      root.change(name, { current_prompt: `Event ${count}.` });
    }
  };
  const timer = setInterval(catchUp, 5);
  return {
    count: () => count,
    end: () => {
      clearInterval(timer);
      return latest;
    },
  };
}

test('100 events per second: no keystroke is lost, no line is stale, and two views agree', async () => {
  const size = { width: 300, height: 100 };
  const [view, other] = await Promise.all([openView(outside, root, 'busy', size), openView(outside, root, 'other', size)]);
  for (const each of [view, other]) await each.shows(/50 working/);
  const events = burst();
  const text = Array.from({ length: isFullRun ? 60 : 20 }, (_, index) => `w${index}`).join(' ');
  const moves = isFullRun ? 45 : 12;
  for (let move = 0; move < moves; move += 1) await view.keys('j');
  await view.waitFor('the selection', ({ lines }) => lines.some(isSelected(NAMES[moves] ?? LAST)));
  await view.keys('n');
  await view.shows(/^task› *$/);
  for (const part of text.match(/.{1,3}/g) ?? []) await view.type(part);
  await view.waitFor('each character', ({ lines }) => lines.some((line) => line.trimEnd() === `task› ${text}`));
  await expect.poll(events.count, { timeout: 60_000 }).toBeGreaterThan(isFullRun ? 1_000 : 300);
  const latest = events.end();
  for (const each of [view, other])
    await each.waitFor('the last event of each worker', ({ lines }) =>
      NAMES.every((name) => lines.some((line) => line.includes(name) && line.includes(`Event ${latest.get(name)}.`))),
    );
  await view.keys('Escape');
  await view.keys('g');
  // What is not drawn again would be seen beside a view that has just been opened.
  const fresh = await openView(outside, root, 'fresh', size);
  await view.keys('n');
  for (const _ of text) await view.keys('BSpace');
  await view.keys('Escape');
  await agree(view, fresh);
  await agree(other, fresh);
  for (const each of [view, other, fresh]) await leave(each);
});
