import { setTimeout as sleep } from 'node:timers/promises';
import type { Screen } from '../../src/terminal/screen.ts';
import { until } from '../support/scratch-tmux.ts';
import type { Move, Session, Situation } from './situation.ts';

const DEADLINE_MS = 90_000;
/** Between a paste and its Enter. */
const PAUSE_MS = 300;
/** A picture that has not changed for so long is finished: a spinner moves ten times a second, on a busy machine at least once. */
const STILL_MS = 2_000;
/** For something that moves to be seen moving. */
const MOVING_MS = 1_000;
const POLL_MS = 100;
/** Even a narrow terminal shows this many letters of a text on one row. */
const SURELY_ON_ONE_LINE = 20;

/** Leads a session into the situation and gives its screen there, without names of this machine. */
export async function perform(session: Session, situation: Situation): Promise<Screen> {
  if (situation.dialogFirst) await untilStill(session);
  else await session.takesInput();
  for (const move of situation.moves) await make(session, move);
  if (situation.moving) await untilMoving(session);
  else await untilStill(session);
  const { title, ...screen } = await session.screen();
  const lines = screen.lines.map((line) => session.neutral(line));
  return { ...screen, lines, ...(title !== undefined && { title: session.neutral(title) }) };
}

async function make(session: Session, move: Move): Promise<void> {
  if ('send' in move) {
    await enter(session, move.send);
    await session.keys(['Enter']);
  } else if ('type' in move) {
    await enter(session, move.type);
  } else if ('keys' in move) {
    await session.keys(move.keys);
  } else if ('requests' in move) {
    await until(`${move.requests} requests`, async () => session.requests() >= move.requests, DEADLINE_MS);
  } else if ('shows' in move) {
    await until(`"${move.shows}" on the screen`, async () => (await picture(session)).includes(move.shows), DEADLINE_MS);
  } else if ('pauseMs' in move) {
    await sleep(move.pauseMs);
  } else {
    if (move.end === 'SIGKILL') session.kill();
    await session.ended();
  }
}

async function enter(session: Session, text: string): Promise<void> {
  const before = await picture(session);
  await session.paste(text);
  // Something else may have moved meanwhile; but of many lines a box may show only how many there are.
  const arrived = (now: string) => (text.includes('\n') ? now !== before : now.includes(text.slice(0, SURELY_ON_ONE_LINE)));
  await until('the text to arrive', async () => arrived(await picture(session)), DEADLINE_MS);
  await sleep(PAUSE_MS);
}

/** The first picture may still be one from before, on a machine that is late. */
async function untilMoving(session: Session): Promise<void> {
  await sleep(MOVING_MS);
  const before = await picture(session);
  await until('something on the screen to move', async () => (await picture(session)) !== before, DEADLINE_MS);
}

async function untilStill(session: Session): Promise<void> {
  let last = '';
  let since = Date.now();
  await until(
    'a screen that does not change',
    async () => {
      const now = await picture(session);
      if (now !== last) [last, since] = [now, Date.now()];
      await sleep(POLL_MS);
      return now.trim() !== '' && Date.now() - since > STILL_MS;
    },
    DEADLINE_MS,
  );
}

async function picture(session: Session): Promise<string> {
  return (await session.screen()).lines.join('\n');
}
