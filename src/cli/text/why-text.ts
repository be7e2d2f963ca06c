import type { Activity } from '../../agents/activity.ts';
import { findDetail } from '../../agents/activity-detail.ts';
import { clockTime, pastTime } from '../../base/clock-time.ts';
import { formatAge } from '../../base/duration.ts';
import { sentence } from '../../base/sentence.ts';
import { cutToWidth, measureWidth, wrapWithIndent } from '../../base/text-width.ts';
import { inOneLine, visibleLine, visibleText } from '../../base/visible-text.ts';
import { STALL_HINT, stallText } from '../../recovery/decide-stall.ts';
import type { WhyReport } from '../../supervisor/report/why-report.ts';
import { feedbackIn } from '../../workers/prompt/prompts.ts';
import { describeStatus } from '../../workers/status/status-words.ts';
import type { Display } from '../shell.ts';
import { budgetLine } from './budget-line.ts';
import { limitLine } from './limit-line.ts';
import { evidenceText } from './why-evidence.ts';

const LATEST = 3;
const LAST_WORDS = 10;
const LONGEST_HELD = 60;

/** Explains the status of a worker in a few lines; `full` adds the evidence, deliveries, events and screen. */
export function whyText(report: WhyReport, now: number, full: boolean, { columns, atRoot }: Display): string {
  const { worker } = report;
  const wrapped = (line: string, indent = 2) => wrapWithIndent(atRoot(visibleLine(line)), columns, indent);
  const block = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ['', ...wrapped(title), ...lines]);
  const section = (title: string, lines: readonly string[]) =>
    block(
      title,
      lines.flatMap((line) => wrapped(`  ${line}`, 4)),
    );
  const screen = (title: string, lines: readonly string[]) =>
    block(
      title,
      lines.map((line) => withShortRule(`  ${visibleText(line)}`, columns)),
    );
  const answer = whyAnswer(report, now).flatMap((line) => wrapped(line));
  const lastScreen =
    report.last_words === null || (!hasEnded(report) && !full)
      ? []
      : screen(
          `Its last screen before it ended at ${clock(report.last_words.at, now)}`,
          report.last_words.lines.slice(full ? 0 : -LAST_WORDS),
        );
  if (full) return [...answer, ...lastScreen, ...evidenceText(report, now, section, screen)].join('\n');
  const latest = report.history.slice(0, LATEST).map(({ at, summary }) => `${clock(at, now)}  ${summary}`);
  return [
    ...answer,
    ...lastScreen,
    ...section('Latest decisions', latest),
    '',
    ...wrapped(`Evidence, deliveries, events and the screen: llmc why ${worker.name} --full`),
  ].join('\n');
}

/** The answer in at most three sentences: the status, what the agent does, and what to do or what it waits for. */
export function whyInShort(report: WhyReport, now: number): readonly string[] {
  const { worker, problem, limit, failed_turn } = report;
  const held = report.deliveries.find(isHeld);
  const next = [
    ...(problem === null ? [] : [`! ${sentence(problem)}`]),
    ...(worker.attention === null ? [] : [`→ ${worker.attention}`]),
    ...(held === undefined ? [] : [heldLine(held, now)]),
    ...unverifiedLines(report),
    ...(limit === null ? [] : [limitLine(limit, now)]),
    ...(failed_turn === null ? [] : [sentence(`After a ${failed_turn}`)]),
    ...silenceLines(report, now),
  ];
  return [statusLine(report, now), agentLine(report, now), ...next.slice(0, 1)];
}

function whyAnswer(report: WhyReport, now: number): readonly string[] {
  const { worker } = report;
  const held = report.deliveries.find(isHeld);
  return [
    ...(report.stalled_since === null ? [] : [`! ${sentence(stallText(report.stalled_since, now))}`, `→ ${STALL_HINT}`]),
    ...(report.problem === null ? [] : [`! ${sentence(report.problem)}`]),
    statusLine(report, now),
    agentLine(report, now),
    ...resolutionLines(report, now),
    ...saidLines(worker),
    ...(worker.attention === null ? [] : [`→ ${worker.attention}`]),
    ...(isGivenUp(worker) ? [`→ Collect everything about it for others, without secrets: llmc report --worker ${worker.name}`] : []),
    ...(held === undefined ? [] : [heldLine(held, now)]),
    ...feedbackLines(report, now),
    ...unverifiedLines(report),
    ...(report.limit === null ? [] : [limitLine(report.limit, now)]),
    ...(report.failed_turn === null ? [] : [sentence(`After a ${report.failed_turn}`)]),
    ...droppedLines(report, now),
    ...poolLines(worker),
    ...silenceLines(report, now),
    ...(report.budget === null ? [] : [budgetLine(report.budget)]),
    ...(report.usage === null ? [] : [usageLine(report.usage)]),
    ...(report.patrol === null ? [] : [patrolLine(report.patrol, now)]),
  ];
}

/** With the words of a message, so that a person sees whether it still makes sense. */
function heldLine({ worker, purpose, text, reason, created_ms }: WhyReport['deliveries'][number], now: number): string {
  const what = purpose === 'message' ? `The message “${cutToWidth(inOneLine(text), LONGEST_HELD)}”` : 'A prompt';
  return `${what} is held for ${formatAge(now - created_ms)}: ${sentence(reason ?? 'for an unknown reason')} See: llmc message ${worker} --list`;
}

/** A prompt that was typed into an agent which has ended is not on its way any more. */
const isHeld = ({ state, reason_kind }: WhyReport['deliveries'][number]): boolean =>
  state === 'held' || ((state === 'typed' || state === 'submitted') && reason_kind === 'not_running');

const BECAME: Readonly<Record<WhyReport['deliveries'][number]['state'], string>> = {
  queued: 'waits to be delivered',
  held: 'is held',
  typed: 'is being delivered',
  submitted: 'is being delivered',
  acked: 'has reached its agent',
  done: 'has reached its agent',
  failed: 'was not delivered',
};

/** The reject that sent it may have been killed before it said what became of it. */
function feedbackLines({ worker, deliveries }: WhyReport, now: number): readonly string[] {
  const last = deliveries.find(({ purpose }) => purpose === 'feedback' || purpose === 'task');
  if (last?.purpose !== 'feedback' || worker.current_prompt === null) return [];
  const words = cutToWidth(visibleLine(inOneLine(feedbackIn(last.text))), LONGEST_HELD);
  return [`Your feedback of ${clock(last.created_ms, now)}, “${words}”, ${BECAME[isHeld(last) ? 'held' : last.state]}.`];
}

function poolLines({ name, pool }: WhyReport['worker']): readonly string[] {
  return pool === null
    ? []
    : [`The pool made it, and removes it once its work has landed and no task waits for it. To keep it: llmc add ${name}`];
}

/** A new conversation knows nothing of the one before. */
function droppedLines({ conversation_dropped: dropped }: WhyReport, now: number): readonly string[] {
  return dropped === null ? [] : [sentence(`At ${clock(dropped.at, now)} ${dropped.why}`)];
}

const LONGEST_SAID = 400;

/** The end of a turn that left nothing else to look at. */
function saidLines({ summary, attention_kind: kind }: WhyReport['worker']): readonly string[] {
  if (summary === null || (kind !== 'answer' && kind !== 'no_commit' && kind !== 'commit_unchanged')) return [];
  return [`Its last message: ${cutToWidth(visibleLine(summary), LONGEST_SAID)}`];
}

/** The person has to know that llmc does not know. */
function unverifiedLines({ deliveries: [last], worker }: WhyReport): readonly string[] {
  if (last?.reason_kind !== 'unverified') return [];
  return [`Its last prompt is not verified: ${sentence(last.reason ?? '')} Check it: llmc attach ${worker.name}`];
}

function patrolLine({ last_ms, since_ms, rounds, summary }: NonNullable<WhyReport['patrol']>, now: number): string {
  const before = rounds === 1 ? '' : ` (${rounds} rounds since ${clock(since_ms, now)})`;
  return `Patrol at ${clock(last_ms, now)}: ${summary}${before}.`;
}

/** For a worker in the middle of it. */
function resolutionLines({ worker, resolution }: WhyReport, now: number): readonly string[] {
  if (resolution === null || resolution.phase === 'settled' || worker.status !== 'rebasing') return [];
  const { branch, files, attempts, asked_ms } = resolution;
  const where = files.length === 0 ? '' : ` in ${files.join(', ')}`;
  const asked = asked_ms === null ? '' : `, last ${formatAge(now - asked_ms)} ago`;
  return [`It resolves its conflict with ${branch}${where}; asked ${attempts === 1 ? 'once' : `${attempts} times`}${asked}.`];
}

const RUNGS = ['asked for its status', 'checked for an answer', 'asked again', 'handed to a person'] as const;

function silenceLines({ silence }: WhyReport, now: number): readonly string[] {
  if (silence === null) return [];
  const { since_ms, rungs, next_ms } = silence;
  const done = rungs === 0 ? '' : ` It was ${RUNGS.slice(0, rungs).join(', ')}.`;
  return [
    `No sign of progress since ${clock(since_ms, now)} (${formatAge(now - since_ms)}).${done} Next, at ${clockTime(next_ms, now)}: ${RUNGS[rungs]}.`,
  ];
}

/** An agent draws a rule as wide as its own terminal. Text of its screen stays whole. */
function withShortRule(line: string, columns: number): string {
  return /─{8,}\s*$/.test(line) && measureWidth(line) > columns ? `${cutToWidth(line, columns).slice(0, -1)}─` : line;
}

function statusLine({ worker }: WhyReport, now: number): string {
  const before = worker.status === 'offline' ? ` (it ${describePast(worker.status_before_offline ?? 'idle')})` : '';
  const since = worker.last_activity_unix * 1_000;
  return `${worker.name} ${describeStatus(worker.status)}${before}, since ${clock(since, now)} (${formatAge(now - since)} ago).`;
}

const PAST = { error: 'had failed', needs_review: 'had work to review', needs_input: 'needed you' } as const;

function describePast(status: WhyReport['worker']['status']): string {
  if (status === 'error' || status === 'needs_review' || status === 'needs_input') return PAST[status];
  return describeStatus(status).replace(/^is /, 'was ');
}

const WHERE: Readonly<Record<WhyReport['sandbox'], string>> = {
  none: '',
  bubblewrap: ', in a bubblewrap sandbox',
  user: ', as a user of its own',
};

function agentLine({ worker, assessment, supervised, silent, sandbox }: WhyReport, now: number): string {
  const agent = `${worker.agent}${WHERE[sandbox]}`;
  if (assessment === null && supervised) return `Its agent (${agent}) is not running.`;
  if (assessment === null) {
    const because = silent ? 'the supervisor does not answer.' : 'no supervisor is running. Start it: llmc up --detach';
    return `The activity of its agent (${agent}) is unknown: ${because}`;
  }
  const { activity, since, rule, source } = assessment;
  return `Its agent (${agent}) ${doing(activity)} since ${clock(since, now)}, because ${rule} (${source.replace('_', ' ')}).`;
}

/** Whether the agent has ended, or a person was notified because it ended. */
function hasEnded({ worker, assessment }: WhyReport): boolean {
  const called = worker.attention_kind === 'crashed' || worker.attention_kind === 'review_without_agent';
  return called || assessment?.activity.kind === 'exited';
}

/** llmc has tried what it can: the person who looks into it needs all facts. */
function isGivenUp({ status, attention_kind }: WhyReport['worker']): boolean {
  return status === 'error' || attention_kind === 'stuck' || attention_kind === 'delivery_failed';
}

const DOING: Readonly<Record<Activity['kind'], string>> = {
  starting: 'has been starting',
  ready: 'has been ready',
  processing: 'has been working',
  awaiting_question: 'has been asking',
  awaiting_permission: 'has been asking for permission',
  waiting_limit: 'has been waiting for a usage limit',
  error: 'has reported an error',
  exited: 'has not been running',
  unknown: 'could not be read',
};

function doing(activity: Activity): string {
  const detail = findDetail(activity);
  return detail === null ? DOING[activity.kind] : `${DOING[activity.kind]} (${detail})`;
}

/** With seconds, because several decisions can fall into the same minute. */
function clock(at: number, now: number): string {
  return `${pastTime(at, now)}:${String(new Date(at).getSeconds()).padStart(2, '0')}`;
}

function usageLine(usage: NonNullable<WhyReport['usage']>): string {
  const { inputTokens, outputTokens, contextTokens, contextWindow } = usage;
  const context = contextWindow === null ? `${contextTokens} tokens of context` : `${contextTokens} of ${contextWindow} tokens of context`;
  return `It used ${inputTokens} tokens in, ${outputTokens} out; ${context}.`;
}
