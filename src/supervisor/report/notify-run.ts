import { join } from 'node:path';
import { clockTime, pastTime } from '../../base/clock-time.ts';
import { formatSpan } from '../../base/duration.ts';
import type { Instant } from '../../base/ports.ts';
import { quietUntil } from '../../base/quiet-hours.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine, visibleText } from '../../base/visible-text.ts';
import type { Escalation } from '../../workflow/model/escalation.ts';
import type { Run, RunNotice } from '../../workflow/model/run.ts';
import { SqliteRuns } from '../../workflow/store/sqlite-runs.ts';
import { placesAbout, promptAbout, type RunSurroundings } from '../../workflow/view/run-view.ts';
import { type Notice, noticeAbout, type RunPart } from './notice.ts';
import { cutWithCount, LONGEST_PART } from './notice-part.ts';
import { call, type NotifyContext, type Ring, sleepUntil } from './notify.ts';

/** The environment of a program holds 128 KB per variable (Linux 6.1). */
const LONGEST = 4_000;
/** A lock screen; the document on standard input has all of them. */
const MOST_PLACES = 3;

/**
 * Notifies a person of each new question of a run, half-way before one answers itself, of what the workflow file asks to be notified of, and of a run that failed. In quiet hours it waits
 * for their end, and a question that was answered meanwhile needs no notice. Work at its landing waits for a review like that of any other worker.
 */
export function runCaller(context: NotifyContext, ring: Ring): (before: Run, after: Run) => Promise<unknown> {
  const { clock, store, signal } = context;
  const tell = async (notice: Notice, isStillTrue: (run: Run) => boolean, id: string) => {
    const config = await context.config();
    const end = quietUntil(config.notify.quiet, clock.now());
    if (end !== undefined) await sleepUntil(clock, end, signal);
    const now = end === undefined ? undefined : await new SqliteRuns(store.database).load(id);
    if (now !== undefined && !isStillTrue(now)) return;
    await call(context, config, notice, config.defaults.soundOnReview, ring);
  };
  return (before, after) => {
    const known = new Set(before.escalations.map(({ number }) => number));
    const told = after.escalations
      .filter(({ number, answer }) => answer === null && !known.has(number))
      .map((question) => tell(questionNotice(after, question, placesIn(context, after)), (run) => isOpen(run, question), after.id));
    for (const question of after.escalations)
      if (question.answer === null && isWarned(question) && !before.escalations.some((one) => isSame(one, question) && isWarned(one)))
        told.push(
          tell(warningNotice(after, question, { now: clock.now(), ...placesIn(context, after) }), (run) => isOpen(run, question), after.id),
        );
    for (const notice of after.notices)
      if (!before.notices.some(({ number }) => number === notice.number))
        told.push(tell(noticeWithoutQuestion(after.id, notice), () => true, after.id));
    if (before.status !== 'failed' && after.status === 'failed')
      told.push(tell(failureNotice(after), ({ status }) => status === 'failed', after.id));
    return Promise.allSettled(told);
  };
}

function isOpen({ escalations }: Run, question: Escalation): boolean {
  return escalations.some((one) => isSame(one, question) && one.answer === null);
}

const isSame = (one: Escalation, other: Escalation): boolean => one.number === other.number;
const isWarned = ({ deadline }: Escalation): boolean => deadline?.warned === true;

/** Where the results of a run are. */
type Places = Required<Pick<RunSurroundings, 'folder' | 'repository'>>;

function placesIn({ layout }: Pick<NotifyContext, 'layout'>, { id }: Run): Places {
  return { folder: join(layout.runs, id), repository: layout.root };
}

function questionNotice(run: Run, question: Escalation, places: Places): Notice {
  const { step, text, options } = question;
  const about = step === null ? '' : `${step}: `;
  return asking(run, question, { places, reason: `${about}${text} (${options.join(', ')}): ${commandFor(run.id, question)}` });
}

/** Half of the time is over: after the rest, the run answers itself. */
function warningNotice(run: Run, question: Escalation, { now, ...places }: Places & { readonly now: Instant }): Notice {
  const { number, step, deadline } = question;
  const about = step === null ? '' : `${step}: `;
  const soon = deadline === null ? '' : `${deadline.option} by itself in ${formatSpan(Math.max(0, deadline.at - now))}`;
  return asking(run, question, { places, reason: `${about}nobody has answered #${number} yet, ${soon}: llmc decide ${run.id}#${number}` });
}

const commandFor = (run: string, { number, terminal }: Escalation): string =>
  terminal === undefined ? `llmc decide ${run}#${number}` : commandLine('llmc', 'attach', terminal);

/** The text of a question may be an agent's. */
function asking(run: Run, asked: Escalation, { places, reason }: { readonly places: Places; readonly reason: string }): Notice {
  const { type, step, text, options, recommended, deadline, at, terminal } = asked;
  const command = commandFor(run.id, asked);
  const answer_with = terminal === undefined ? `${command} <option>` : command;
  const see = placesAbout(run, asked, places).map(visibleLine);
  const question = visibleText(text);
  const prompt = promptAbout(run, asked, places);
  const choices = options.map(visibleLine);
  const part: RunPart = {
    id: run.id,
    step,
    question: cutWithCount(question, LONGEST),
    prompt: prompt && cutWithCount(visibleText(prompt), LONGEST),
    choices,
    see,
    recommended,
    answer_with,
    deadline_unix: deadline === null ? null : Math.floor(deadline.at / 1_000),
    by_itself: deadline?.option ?? null,
  };
  const lines = [
    `${step === null ? '' : `${step}: `}${cutWithCount(visibleLine(text), LONGEST_PART.command)}`,
    ...(prompt === null ? [] : [cutWithCount(visibleLine(prompt), LONGEST_PART.question)]),
    ...see.slice(0, MOST_PLACES).map((place) => `see: ${place}`),
    choices.map((choice) => (choice === recommended ? `${choice} (recommended)` : choice)).join(' · '),
    ...(deadline === null ? [] : [`${deadline.option} by itself at ${clockTime(deadline.at, at)}`]),
    `Since ${pastTime(at, at)}: ${answer_with}`,
  ];
  return noticeAbout({
    title: `llmc: ${run.id} needs you`,
    text: lines.join('\n'),
    status: 'waiting',
    kind: type,
    reason: visibleText(reason),
    run: part,
    env: {
      LLMC_QUESTION: part.question,
      LLMC_TASK: part.prompt ?? '',
      LLMC_CHOICES: choices.join('\n'),
      LLMC_ANSWER_WITH: answer_with,
      LLMC_SINCE_UNIX: String(Math.floor(at / 1_000)),
    },
  });
}

function failureNotice({ id, error }: Run): Notice {
  const answer_with = commandLine('llmc', 'report', id);
  const reason = visibleText(`${error?.message ?? 'it failed'}: ${answer_with}`);
  const run = partWithoutQuestion(id, null, answer_with);
  return noticeAbout({ title: `llmc: ${id} has failed`, text: reason, reason, status: 'failed', kind: error?.code ?? '', run });
}

/** The run goes on by itself. */
function noticeWithoutQuestion(id: string, { step, code, text }: RunNotice): Notice {
  const answer_with = commandLine('llmc', 'show', id);
  const reason = visibleText(`${text}: ${answer_with}`);
  const run = partWithoutQuestion(id, step, answer_with);
  return noticeAbout({ title: `llmc: ${id} goes on after a failure`, text: reason, reason, status: 'running', kind: code, run });
}

function partWithoutQuestion(id: string, step: string | null, answer_with: string): RunPart {
  return {
    id,
    step,
    question: '',
    prompt: null,
    choices: [],
    see: [],
    recommended: null,
    deadline_unix: null,
    by_itself: null,
    answer_with,
  };
}
