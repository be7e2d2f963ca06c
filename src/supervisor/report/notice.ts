import { pastTime } from '../../base/clock-time.ts';
import { formatAge } from '../../base/duration.ts';
import type { Instant } from '../../base/ports.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Worker } from '../../store/state.ts';
import { attentionText } from '../../workers/status/attention-text.ts';
import { describeStatus } from '../../workers/status/status-words.ts';
import { cutWithCount, LONGEST_PART, type NoticePart, noticePart, partVariables, type Told } from './notice-part.ts';

/** What a person is told, on all ways. */
export interface Notice {
  readonly title: string;
  /** What a lock screen shows: enough to answer. Several lines. */
  readonly text: string;
  /** For the command of `[notify]`. */
  readonly env: Readonly<Record<string, string>>;
  /** The same as JSON, for its standard input. */
  readonly json: NoticeJson;
}

/** The contract with the command of `[notify]`. */
export interface NoticeJson {
  readonly title: string;
  readonly text: string;
  readonly status: string;
  readonly kind: string;
  readonly reason: string;
  readonly workers: readonly NoticePart[];
  readonly run: RunPart | null;
}

/** A question of a run, or a run that failed. */
export interface RunPart {
  readonly id: string;
  readonly step: string | null;
  readonly question: string;
  /** What the workflow file says to the person who reviews. */
  readonly prompt: string | null;
  readonly choices: readonly string[];
  /** The result that it is about: its files, the command that shows its commit, the remarks of its review. */
  readonly see: readonly string[];
  readonly recommended: string | null;
  /** When it answers itself, and how. */
  readonly deadline_unix: number | null;
  readonly by_itself: string | null;
  readonly answer_with: string;
}

interface About {
  readonly title: string;
  readonly text: string;
  readonly status: string;
  readonly kind: string;
  readonly reason: string;
  readonly workers?: readonly NoticePart[];
  readonly run?: RunPart;
  readonly env?: Readonly<Record<string, string>>;
}

/** A digest of many workers stays below what one variable can hold. */
const LONGEST_TEXT = 4_000;
const LONGEST_TITLE = 200;

/** Every variable is set in every notice, so that a command never sees one of an earlier program. */
export function noticeAbout({ title, text, status, kind, reason, workers = [], run, env }: About): Notice {
  const shown = {
    title: cutWithCount(visibleLine(title), LONGEST_TITLE),
    text: cutWithCount(text, LONGEST_TEXT),
    reason: cutWithCount(reason, LONGEST_TEXT),
  };
  const [first, ...others] = workers;
  return {
    title: shown.title,
    text: shown.text,
    env: {
      ...partVariables(others.length === 0 ? first : undefined),
      LLMC_TITLE: shown.title,
      LLMC_TEXT: shown.text,
      LLMC_REASON: shown.reason,
      LLMC_REASON_KIND: kind,
      LLMC_WORKERS: workers.map(({ worker }) => worker).join(' '),
      LLMC_STATUS: status,
      LLMC_RUN: run?.id ?? '',
      LLMC_DEADLINE_UNIX: String(run?.deadline_unix ?? ''),
      ...env,
    },
    json: { ...shown, status, kind, workers, run: run ?? null },
  };
}

export function makeNotice(told: Told, now: Instant): Notice {
  const { name, status, attention } = told.worker;
  const part = noticePart(told, now);
  // Leave out an age of seconds: the notice itself is as old.
  const age = part.age_secs < 60 ? '' : ` (${formatAge(part.age_secs * 1_000)})`;
  return noticeAbout({
    title: `llmc: ${name} ${describeStatus(status)}${age}`,
    text: describePart(part, now),
    status,
    kind: attention?.kind ?? '',
    reason: describeReason(told.worker),
    workers: [part],
  });
}

/** One notice about several workers. */
export function makeDigest(told: readonly Told[], now: Instant): Notice {
  const parts = told.map((each) => noticePart(each, now));
  const lines = told.map(({ worker }, index) => {
    const age = formatAge((parts[index]?.age_secs ?? 0) * 1_000);
    return `${worker.name} ${describeStatus(worker.status)} (${age})${withReason(describeReason(worker))}`;
  });
  const reason = lines.map((line) => cutWithCount(line, Math.floor(LONGEST_TEXT / told.length) - 40)).join('\n');
  const names = parts.map(({ worker }) => worker);
  const title = `llmc: ${told.length} workers need you: ${names.join(', ')}`;
  return noticeAbout({ title, text: reason, reason, status: 'digest', kind: 'digest', workers: parts });
}

/** The parts in the order in which a person needs them; a lock screen shows the first lines. */
function describePart(part: NoticePart, now: Instant): string {
  const { command, tool, question, choices, reason, files, added, removed, task, summary, answer_with } = part;
  const lines: readonly (string | null)[] = [
    command === null
      ? null
      : `${cutWithCount(visibleLine(tool ?? 'Command'), LONGEST_PART.tool)}: ${cutWithCount(visibleLine(command), LONGEST_PART.command)}`,
    question === null ? null : cutWithCount(visibleLine(question), LONGEST_PART.question),
    choices.length === 0
      ? null
      : choices.map((choice, index) => `${index + 1} ${cutWithCount(visibleLine(choice), LONGEST_PART.choice)}`).join(' · '),
    files === null ? null : `${files} ${files === 1 ? 'file' : 'files'}, +${added} -${removed}`,
    summary === null ? null : cutWithCount(visibleLine(summary), LONGEST_PART.summary),
    task === null ? null : `Task: ${cutWithCount(visibleLine(task), LONGEST_PART.task)}`,
    question === null && command === null && files === null ? reason : null,
    `Since ${pastTime(part.since_unix * 1_000, now)}: ${answer_with}`,
  ];
  return lines.filter((line) => line !== null && line !== '').join('\n');
}

function describeReason({ name, attention }: Worker): string {
  return attention === null ? '' : attentionText(name, attention);
}

const withReason = (reason: string): string => (reason === '' ? '' : `: ${reason}`);
