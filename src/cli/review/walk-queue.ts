import { LlmcError } from '../../base/error.ts';
import { visibleIn } from '../../base/visible-text.ts';
import { askKey, type PressedKey } from '../../system/keys.ts';
import { askLine } from '../../system/lines.ts';
import type { ReviewResult } from '../../workers/review/review-result.ts';
import type { ReviewRequest } from '../../workers/review-work.ts';
import { printAside } from '../output.ts';
import type { Shell } from '../shell.ts';
import { mayLand } from '../text/next-commands.ts';
import { Input } from '../verb.ts';
import { accept } from '../verbs/accept.ts';
import { dismiss } from '../verbs/dismiss.ts';
import { message } from '../verbs/message.ts';
import { reject } from '../verbs/reject.ts';
import { showReview, type Viewing } from './show-review.ts';

/** What a person decided in one walk through the queue. */
export interface Walked {
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  readonly skipped: readonly string[];
  /** Workers that still wait for a review. */
  readonly left: readonly string[];
}

const KEYS = ['a', 'r', 's', 'd', 'q'] as const;
type Key = (typeof KEYS)[number];
type Decision = 'accepted' | 'rejected' | 'skipped' | 'quit';

/** How the work is read; without its lines, it does not count as reviewed. */
type Reading = Pick<ReviewRequest, 'ignoreWhitespace' | 'onlyStat'>;

/** Shows one pending work after the other and reads a key for each. Only work that was shown is decided. */
export async function walkQueue(shell: Shell, viewing: Viewing, reading: Reading): Promise<Walked> {
  const walked = { accepted: [] as string[], rejected: [] as string[], skipped: [] as string[] };
  const say = sayOnce(shell.say);
  for (let isFirst = true; ; isFirst = false) {
    const shown = await showNext(shell, { ...viewing, reading, skip: walked.skipped, isFirst, say });
    if (shown === undefined) return { ...walked, left: walked.skipped };
    const left = [shown.worker, ...shown.waiting, ...walked.skipped];
    const decision = await decide(shell, shown, { ...viewing, reading, say });
    if (decision === 'quit') return { ...walked, left };
    walked[decision].push(shown.worker);
  }
}

interface Showing extends Viewing {
  readonly say: Shell['say'];
  readonly reading: Reading;
}

/** Undefined at the end of the queue. */
async function showNext(
  shell: Shell,
  { skip, isFirst, ...showing }: Showing & { readonly skip: readonly string[]; readonly isFirst: boolean },
): Promise<ReviewResult | undefined> {
  try {
    const shown = await show(shell, { next: true, skip: [...skip] }, showing);
    return { ...shown, waiting: shown.waiting.filter((name) => !skip.includes(name)) };
  } catch (error) {
    // An empty queue is an answer only after something was decided.
    if (!isFirst && error instanceof LlmcError && error.code === 'NOTHING_TO_REVIEW') return undefined;
    throw error;
  }
}

async function show(
  shell: Shell,
  which: { readonly worker: string } | { readonly next: true; readonly skip: string[] },
  { say, reading, ...viewing }: Showing,
): Promise<ReviewResult> {
  const result = await shell.call('review', { ...which, ...reading, patrol: shell.options.patrol });
  // Before the text is coloured: a colour of an agent would otherwise look like one of llmc.
  const { text, isPaged } = await showReview(visibleIn({ ...result, ...viewing }), shell, { say, keys: offered(result) });
  if (!isPaged) shell.out(text);
  return result;
}

/** Asks until there is a decision. A refused one is reported, and the person decides again. */
async function decide(shell: Shell, first: ReviewResult, { reading, ...showing }: Showing): Promise<Decision> {
  const withLines = { ...showing, only_stat: false, reading: { ...reading, onlyStat: false } };
  for (let shown = first; ; ) {
    const pressed = await askKey((isAgain) => printAside(`${isAgain ? '\n' : ''}${question(shown)}`), keysFor(shown));
    printAside(`${echo(pressed)}\n`);
    if (pressed.kind === 'interrupted')
      throw new LlmcError('CANCELLED', 'stopped; what was decided before stays so', { hint: 'llmc status' });
    if (pressed.kind === 'closed' || pressed.key === 'q') return 'quit';
    if (pressed.key === 's') return 'skipped';
    try {
      if (pressed.key === 'd') shown = { ...(await show(shell, { worker: shown.worker }, withLines)), waiting: shown.waiting };
      else if (shown.kind === 'answer' && pressed.key === 'a') return await putAway(shell, shown.worker);
      else if (shown.kind === 'answer') {
        if (await askMore(shell, shown.worker)) return 'rejected';
      } else if (pressed.key === 'a') return await land(shell, shown.worker);
      else if (await sendBack(shell, shown.worker)) return 'rejected';
    } catch (error) {
      if (!(error instanceof LlmcError) || error.code === 'CANCELLED') throw error;
      report(shell, error);
      // Its agent resolves the conflict now, or it waits for the next walk.
      if (error.code === 'REBASE_CONFLICT' || error.code === 'ILLEGAL_TRANSITION') return 'skipped';
    }
  }
}

async function land(shell: Shell, worker: string): Promise<Decision> {
  const input = new Input([worker], {});
  const landed = await accept.run(input, shell);
  shell.out(shell.atRoot((await accept.text?.(visibleIn(landed), shell, input)) ?? ''));
  return 'accepted';
}

async function putAway(shell: Shell, worker: string): Promise<Decision> {
  const input = new Input([worker], {});
  shell.out(shell.atRoot((await dismiss.text?.(visibleIn(await dismiss.run(input, shell)), shell, input)) ?? ''));
  return 'accepted';
}

/** False if the person asked nothing after all. */
async function askMore(shell: Shell, worker: string): Promise<boolean> {
  const text = (await askLine('What do you want to know? (an empty line goes back) ')).trim();
  if (text === '' || text === '-') return false;
  const input = new Input([worker, text], {});
  shell.out(shell.atRoot((await message.text?.(visibleIn(await message.run(input, shell)), shell, input)) ?? ''));
  return true;
}

/** False if the person gave no feedback after all. */
async function sendBack(shell: Shell, worker: string): Promise<boolean> {
  const feedback = (await askLine('What should change? (an empty line goes back) ')).trim();
  if (feedback === '' || feedback === '-') return false;
  const input = new Input([feedback], { worker });
  const sent = await reject.run(input, shell);
  shell.out(shell.atRoot((await reject.text?.(visibleIn(sent), shell, input)) ?? ''));
  return true;
}

const WORDS: Readonly<Record<Key, string>> = { a: 'accept', r: 'reject', s: 'skip', d: 'diff', q: 'quit' };

function question(shown: ReviewResult): string {
  const more = shown.waiting.length === 0 ? 'the last' : `${shown.waiting.length} more`;
  return `\n${shown.worker} (${more}): ${offered(shown)} `;
}

/** The same keys put an answer away and ask more. */
const OF_ANSWER: Readonly<Partial<Record<Key, string>>> = { a: '[a] put away', r: '[r] ask more' };

const keysFor = (shown: ReviewResult): readonly Key[] => KEYS.filter((key) => key !== 'a' || shown.kind === 'answer' || mayLand(shown));

function offered(shown: ReviewResult): string {
  return keysFor(shown)
    .map((key) => (shown.kind === 'answer' ? OF_ANSWER[key] : undefined) ?? `[${key}]${WORDS[key].slice(1)}`)
    .join(' ');
}

const echo = (pressed: PressedKey<Key>): string => (pressed.kind === 'key' ? pressed.key : '');

function report(shell: Shell, { code, message, hint }: LlmcError): void {
  printAside(`${code}: ${message}\n${hint === undefined ? '' : `→ ${shell.atRoot(hint)}\n`}`);
}

function sayOnce(say: Shell['say']): Shell['say'] {
  const said = new Set<string>();
  return (line) => {
    if (!said.has(line)) say(line);
    said.add(line);
  };
}
