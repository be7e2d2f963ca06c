import { showsNothing } from '../../base/shows-nothing.ts';
import { systemClock } from '../../system/clock.ts';
import { askKey } from '../../system/keys.ts';
import { askLine } from '../../system/lines.ts';
import type { QuestionView, RunView } from '../../workflow/view/run-view.ts';
import { ringFor } from '../bell.ts';
import type { Shell } from '../shell.ts';
import { followRun } from './follow-run.ts';
import { answerKeys, chooseKey, questionLines } from './text/question-lines.ts';

const LEAVE = 'q';

/** Asks the questions of a run on the terminal that follows it, each once; one key answers. */
export class TerminalAnswers {
  readonly #shell: Shell;
  readonly #signal: AbortSignal;
  readonly #answered = new Set<number>();
  /** Whether a person was asked here, and so has heard the bell. */
  hasAsked = false;

  constructor(shell: Shell, signal: AbortSignal) {
    this.#shell = shell;
    this.#signal = signal;
  }

  /** Asks the first open question. False: nothing to ask, or the person leaves it open. */
  async ask({ id, status, questions }: RunView): Promise<boolean> {
    if (!this.#shell.isInteractive || status !== 'waiting') return false;
    const question = questions.find(({ number }) => !this.#answered.has(number));
    // The supervisor takes the answer in a moment.
    if (question === undefined) return questions.length > 0;
    this.hasAsked = true;
    await ringFor(this.#shell, id);
    const pressed = await this.#keyFor(question);
    if (pressed.kind !== 'key') return pressed.kind === 'gone';
    return await this.#answer(question, pressed.option);
  }

  async #keyFor(question: QuestionView): Promise<{ kind: 'key'; option: string } | { kind: 'gone' | 'left' }> {
    const { run, number, options } = question;
    const keys = answerKeys(options, LEAVE);
    const named = options.map((option, index) => chooseKey(option, index, question));
    for (const line of questionLines(question, systemClock.now(), this.#shell.display)) this.#shell.say(line);
    const over = new AbortController();
    const signal = AbortSignal.any([this.#signal, over.signal]);
    // A person may answer it elsewhere, and some questions answer themselves.
    const isOpen = (view: RunView) => view.questions.some((each) => each.number === number);
    const isGone = followRun(this.#shell, run, { until: (view) => !isOpen(view), tell: false }, signal).then((view) => {
      over.abort();
      return !isOpen(view);
    });
    const ask = () => this.#shell.say(`Press ${named.join(', ')}, or ${LEAVE} to leave: the question waits.`);
    const pressed = await askKey((isAgain) => isAgain || ask(), [...keys.keys(), LEAVE], process.stdin, systemClock, signal);
    over.abort();
    const option = pressed.kind === 'key' ? keys.get(pressed.key) : undefined;
    if (option !== undefined) return { kind: 'key', option };
    return { kind: (await isGone) && pressed.kind === 'closed' ? 'gone' : 'left' };
  }

  async #answer({ run, number }: QuestionView, option: string): Promise<boolean> {
    const text = option === 'answer' || option === 'reject' ? await askLine('Text: ') : '';
    if (option === 'answer' && showsNothing(text)) return true;
    const { option: taken } = await this.#shell.call('decide', { run, number, option, ...(text !== '' && { text }) });
    this.#answered.add(number);
    this.#shell.say(`${run}#${number}: ${taken}`);
    return true;
  }
}
