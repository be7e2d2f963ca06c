import { type ScratchTmux, until } from './scratch-tmux.ts';
import { type Opened, type OpenView, openView } from './view.ts';

/** The view, with only this worker in its list. */
export async function viewOf(world: Opened, outside: ScratchTmux, worker: string): Promise<OpenView> {
  const view = await openView(outside, world);
  await view.keys('/');
  await view.type(worker);
  await view.shows(new RegExp(`filter› ${worker}`));
  await view.keys('Enter');
  await view.shows(new RegExp(`▌.*${worker}`));
  return view;
}

/** The view takes no answer from a person who cannot have read the question yet. */
async function readsTheQuestion(): Promise<void> {
  const shownAt = Date.now();
  await until('the question to be read', async () => Date.now() - shownAt > 300);
}

/** Marks choices by their digits, each shown before the next key, and sends them. */
export async function byMarks(view: OpenView, ...marks: readonly (readonly [string, RegExp])[]): Promise<void> {
  for (const [digit, marked] of marks) {
    await view.keys(digit);
    await view.shows(marked);
  }
  await readsTheQuestion();
  await view.keys('Enter');
  await view.lacks(marks.at(-1)?.[1] ?? /$/);
}

/** Answers in words. */
export async function inWords(view: OpenView, worker: string, words: string): Promise<void> {
  await view.shows(new RegExp(`▌.*${worker} +asks`));
  await view.keys('Space');
  await view.shows(new RegExp(`^answer to ${worker}›`));
  await view.type(words);
  await view.shows(new RegExp(`› ${words}`));
  await readsTheQuestion();
  await view.keys('Enter');
  await view.lacks(new RegExp(`› ${words}`));
}
