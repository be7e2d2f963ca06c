import { commandInOneLine } from '../../base/command-in-one-line.ts';
import { formatAge } from '../../base/duration.ts';
import { capitalised, sentence } from '../../base/sentence.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { workerBranch } from '../../git/refs.ts';
import type { Attention, OffBranch } from '../../store/attention.ts';
import type { HoldReason } from '../../store/tables/delivery-reason.ts';
import { acceptCommand } from '../branch/accept-command.ts';
import { reasonText } from '../prompt/delivery-reason-text.ts';
import { FAILURE_WORDS } from './failure-words.ts';

/** For JSON: the sentence, and its kind beside it. */
export interface AttentionReport {
  readonly attention: string | null;
  readonly attention_kind: Attention['kind'] | null;
}

export function attentionReport(name: string, attention: Attention | null): AttentionReport {
  return { attention: attention && attentionText(name, attention), attention_kind: attention?.kind ?? null };
}

type End = Extract<Attention, { kind: 'crashed' | 'not_found' | 'cannot_start' }>;
type Asking = Extract<Attention, { kind: 'question' | 'permission' }>;
type Failure = Extract<Attention, { kind: 'turn_failed' | 'agent_blocked' }>;
type Conflict = Extract<Attention, { kind: 'conflict' | 'conflict_given_up' | 'resolution_stuck' | 'resolved' }>;
type Ready = Extract<Attention, { kind: 'review' | 'review_without_agent' | 'answer' }>;
type Unfinished = Extract<Attention, { kind: 'no_commit' | 'commit_unchanged' | 'no_answer' }>;
type GivenUp = Extract<Attention, { kind: 'conflict_given_up' }>;
type Landing = Extract<Attention, { kind: 'landing' | 'not_landed' | 'unsettled_landing' }>;
type Prompted = Extract<Attention, { kind: 'draft_in_box' | 'agent_stopped' | 'prompt_waits' | 'delivery_failed' }>;
type Memory = Extract<Attention, { kind: 'memory_restarted' | 'memory_exceeded' }>;

/** Renders attention in one line that ends with what to type. No other code does. */
export function attentionText(name: string, attention: Attention): string {
  return visibleLine(wordsFor(name, attention));
}

function wordsFor(name: string, attention: Attention): string {
  switch (attention.kind) {
    case 'review':
    case 'review_without_agent':
    case 'answer':
      return readyText(name, attention);
    case 'question':
    case 'permission':
      return askingText(name, attention);
    case 'startup_dialog':
      return `A start-up dialog needs you: ${sentence(attention.question)} Answer it there: llmc attach ${name}`;
    case 'login':
      return `It is not logged in (${attention.question.replace(/[\s:.?]+$/, '')}). Log in: llmc attach ${name}`;
    case 'no_commit':
    case 'commit_unchanged':
    case 'no_answer':
      return unfinishedText(name, attention);
    case 'off_branch':
      return offBranchText(name, attention);
    case 'worktree_deleted':
      return `Its worktree was deleted several times. What it did: llmc why ${name}; start over: llmc reset ${name}`;
    case 'draft_in_box':
    case 'agent_stopped':
    case 'prompt_waits':
    case 'delivery_failed':
      return promptText(name, attention);
    case 'turn_failed':
    case 'agent_blocked':
      return failureText(name, attention);
    case 'crashed':
    case 'not_found':
    case 'cannot_start':
      return endText(name, attention);
    case 'stuck':
      return `It showed no progress for ${formatAge(attention.quiet_ms)} and answered neither status check. Open its terminal: llmc attach ${name}; interrupt it with instructions: llmc message ${name} --now "…"; start over: llmc reset ${name}`;
    case 'conflict':
    case 'conflict_given_up':
    case 'resolution_stuck':
    case 'resolved':
      return conflictText(name, attention);
    case 'landing':
    case 'not_landed':
    case 'unsettled_landing':
      return landingText(name, attention);
    case 'memory_restarted':
    case 'memory_exceeded':
      return memoryText(name, attention);
    case 'restored':
      return `Restored ${attention.rescue}. Tell it what to do: llmc message ${name} "…"`;
    case 'repaired':
      return repairedText(name, attention.problem);
    case 'trouble':
      return `${capitalised(sentence(attention.message), name)} ${attention.hint ?? `More: llmc why ${name}`}`;
    case 'unreadable_screen':
      return `Its screen cannot be classified: ${sentence(attention.rule)} Open its terminal: llmc attach ${name}; how llmc classifies it: llmc inspect --worker ${name}`;
    case 'not_started':
    case 'being_started':
    case 'no_session':
      return sessionText(name, attention.kind);
  }
}

function sessionText(name: string, kind: 'not_started' | 'being_started' | 'no_session'): string {
  if (kind === 'no_session') return `Its session does not run: llmc why ${name}`;
  return kind === 'not_started' ? 'Start it: llmc up --detach' : 'It is being started';
}

function readyText(name: string, attention: Ready): string {
  switch (attention.kind) {
    case 'review': {
      const besides = attention.uncommitted ? ' (there are uncommitted changes besides the commit)' : '';
      return [`Review it: llmc review ${name}`, besides, probablyText(attention.probably)].join('');
    }
    case 'review_without_agent':
      return `Review it: llmc review ${name}. The agent ended ${attention.endings} times in a row (llmc why ${name}) and is restarted after you decide`;
    case 'answer': {
      const besides = attention.uncommitted ? ' (it also changed files, which are not committed)' : '';
      return [`Read its answer: llmc review ${name}`, besides, probablyText(attention.probably)].join('');
    }
  }
}

const WITHOUT = { no_commit: 'a commit', commit_unchanged: 'changing its commit', no_answer: 'an answer' } as const;

function unfinishedText(name: string, { kind, files = [], count = files.length, to_review, probably }: Unfinished): string {
  const stopped = `It ${probably === undefined ? 'stopped' : `has probably stopped (${probably})`} without ${WITHOUT[kind]}`;
  const goOn = `Open its terminal (llmc attach ${name}) or send more instructions: llmc message ${name} "…"`;
  if (to_review === true) return `${stopped} after your feedback. ${goOn}; land it all the same: llmc accept ${name}`;
  if (files.length === 0) return `${stopped}. ${goOn}`;
  const more = count > files.length ? ` and ${count - files.length} more` : '';
  return `${stopped} and left files that are not committed: ${files.join(', ')}${more}. Look at them: llmc review ${name}; send more instructions: llmc message ${name} "…"`;
}

function offBranchText(name: string, { why, branch, problem }: OffBranch): string {
  const again = `save what it has and start over: llmc reset ${name}`;
  switch (why) {
    case 'unborn':
      return `It stopped on a branch without a commit, so there is nothing to review. Send it back to its branch: ${commandLine('llmc', 'message', name, `Commit your work on the branch ${workerBranch(name)}. If it is gone, begin it at origin/${branch}.`)}; ${again}`;
    case 'unrelated':
      return `Its commits have no history in common with ${branch}, so they cannot be reviewed. Send it back: ${commandLine('llmc', 'message', name, `Your commits have no history in common with ${branch}. Put the same files in a commit on top of it: git checkout -B ${workerBranch(name)} origin/${branch}, then git checkout HEAD@{1} -- . and commit.`)}; ${again}`;
    case 'unreadable':
      return `git cannot read its worktree${problem === undefined ? '' : ` (${problem})`}. ${capitalised(again, name)}`;
  }
}

const probablyText = (evidence: string | undefined): string => (evidence === undefined ? '' : ` (probably finished: ${evidence})`);

function repairedText(name: string, problem: keyof typeof REPAIRED): string {
  const text = `${REPAIRED[problem]}. What happened: llmc why ${name}; go on: llmc message ${name} "…"; start over: llmc reset ${name}`;
  // No run removes it any more.
  return problem === 'no_run' ? `${text}; save its work and remove it: llmc nuke ${name}` : text;
}

const REPAIRED = {
  no_prompt: 'Its record said that it works, but not on what',
  no_commit: 'Its record said that its work is done, but its branch has no commit',
  no_record: 'Its record was lost, and its worktree may have changes that are not committed',
  no_conflict: 'Its record said that it resolves a conflict, but not which',
  no_run: 'The records of its run are lost, so nothing of that run follows',
};

function endText(name: string, end: End): string {
  const last = end.screen === undefined ? `llmc why ${name}` : `llmc why ${name}, and in ${end.screen}`;
  return `${whyEnded(end)}. Its last screen: ${last}; continue: llmc message ${name} "continue"; start over: llmc reset ${name}; collect everything for others: llmc report --worker ${name}`;
}

function whyEnded(end: End): string {
  if (end.kind === 'cannot_start')
    return end.cause === 'fatal' ? 'The agent refuses to start' : 'The program of the agent cannot be found or run';
  return end.kind === 'crashed'
    ? `The agent ended ${end.endings} times in a row`
    : `The session of the agent was gone ${end.endings} times in a row, without a trace`;
}

function landingText(name: string, attention: Landing): string {
  switch (attention.kind) {
    case 'landing':
      return `Landing: ${attention.line}, ${formatAge(attention.seconds * 1_000)}`;
    case 'not_landed':
      if (attention.todo !== undefined)
        return `Not landed: ${sentence(attention.problem)} ${attention.todo}, then: ${acceptCommand(name, attention.branch)}`;
      return `Not landed: ${sentence(attention.problem)} Show the diff: llmc review ${name}; send it back: llmc reject --worker ${name} "…"`;
    case 'unsettled_landing':
      return `${sentence(unsettledText(name, attention))} Finish it: llmc accept ${name}`;
  }
}

/** The time given to a reason only matters to one that waits for a time. */
function promptText(name: string, attention: Prompted): string {
  switch (attention.kind) {
    case 'draft_in_box':
      return `A prompt waits because a draft is in the input box. Send or clear the draft: llmc attach ${name}`;
    case 'agent_stopped':
      return `The agent's process is stopped and does nothing. Continue it: kill -CONT ${attention.pid}`;
    case 'prompt_waits':
      return `A prompt waits: ${sentence(reasonText(attention.reason, 0))} ${wayOut(name, attention.reason)}`;
    case 'delivery_failed':
      return `A prompt could not be delivered: ${sentence(reasonText(attention.reason, 0))} Details: llmc why ${name}`;
  }
}

/** What a person can do about the reason that holds a prompt. */
function wayOut(name: string, reason: HoldReason): string {
  switch (reason.kind) {
    case 'something_open':
      return `Open its terminal and press ${reason.key} until the input box is back: llmc attach ${name}`;
    case 'copy_mode':
      return `Open its terminal and press q: llmc attach ${name}`;
    default:
      return `Open its terminal: llmc attach ${name}; details: llmc why ${name}`;
  }
}

function askingText(name: string, asking: Asking): string {
  const what = asking.kind === 'permission' && asking.tool !== 'unknown' ? `wants permission for ${asking.tool}` : 'asks';
  if (asking.kind === 'question' && asking.unread) return `It ${what}: ${sentence(asking.question)} Answer it there: llmc attach ${name}`;
  const command = asking.kind === 'permission' && asking.command !== null ? `${commandInOneLine(asking.command)} – ` : '';
  const choices = asking.choices.length === 0 ? '' : ` [${asking.choices.join(' / ')}]`;
  // A pasted example must not allow anything: the last choice of a permission dialog refuses.
  const example = String(asking.kind === 'permission' ? asking.choices.length : 1);
  const answer = asking.choices.length === 0 ? `llmc answer ${name} "…"` : commandLine('llmc', 'answer', name, example);
  return `It ${what}: ${command}${sentence(`${asking.question}${choices}`)} Answer, for example: ${answer}; or open its terminal: llmc attach ${name}`;
}

/** What only a person can do, before the agent continues. */
const FIXES: Partial<Record<Failure['error'], (worker: string) => string>> = {
  auth: (worker) => `Log in: llmc attach ${worker}; or correct its key. Then: `,
  billing: () => 'Pay, or use another account, then: ',
};

const AFTER: readonly string[] = ['', ' after one attempt to continue'];
const after = (attempts: number): string => AFTER[attempts] ?? ` after ${attempts} attempts to continue`;

function failureText(name: string, { kind, error, message, attempts = 0 }: Failure): string {
  const goOn = `llmc message ${name} "continue"`;
  if (error === 'context_full')
    return `The conversation is full: ${sentence(message)} Compact it and continue: llmc message ${name} --compact; or start a new conversation with the task so far: llmc message ${name} --fresh`;
  if (kind === 'turn_failed')
    return `The turn failed${after(attempts)}, ${FAILURE_WORDS[error]}: ${sentence(message)} Continue with: ${goOn}`;
  const fix = FIXES[error]?.(name) ?? 'Fix that, then: ';
  return `The agent cannot continue, ${FAILURE_WORDS[error]}: ${sentence(message)} ${fix}${goOn}`;
}

function conflictText(name: string, attention: Conflict): string {
  const back = `send it back: ${commandLine('llmc', 'reject', '--worker', name)} "…"`;
  switch (attention.kind) {
    case 'conflict':
      return `Its commit conflicts with ${attention.branch} in ${attention.files.join(', ')}. Let it resolve that: llmc rebase ${name}; or ${back}`;
    case 'conflict_given_up':
      return givenUpText(name, attention, back);
    case 'resolution_stuck':
      return stuckText(name, attention);
    case 'resolved':
      return resolvedText(name, attention);
  }
}

function givenUpText(name: string, { why = 'aborted', branch, files, rescue: rescued, in_the_way = [] }: GivenUp, back: string): string {
  const conflicts = `conflicts with ${branch} in ${files.join(', ')}`;
  const saved = rescued === undefined ? '' : ` What was in its worktree: llmc rescue show ${rescued}.`;
  const next = `Try again: llmc rebase ${name}; or ${back}`;
  switch (why) {
    case 'aborted':
      return `It gave up the rebase: its commit is as before and ${conflicts}.${saved} ${next}`;
    case 'person':
      return `The rebase was given up: its commit is as before and ${conflicts}.${saved} ${next}`;
    case 'went_on':
      return `It ended the rebase and committed on top of its earlier commit. Its work still ${conflicts}. ${next}`;
    case 'elsewhere':
      return `It ended the rebase with a commit that does not build on ${branch}. llmc put its earlier commit back, which ${conflicts}.${saved} ${next}`;
    case 'worktree_deleted':
      return `Its worktree was deleted during the rebase. llmc made it again with the commit from before, which ${conflicts}. ${next}`;
    case 'in_the_way':
      return `Its rebase could not begin: ${in_the_way.join(', ')} would be overwritten. Its commit is as before and ${conflicts}. Ask it to remove that: llmc message ${name} "…", then: llmc rebase ${name}`;
  }
}

const STUCK: Readonly<Record<Extract<Attention, { kind: 'resolution_stuck' }>['why'], string>> = {
  loop: 'several turns ended at the same conflict',
  stuck: 'it makes no progress',
  tampered: 'git’s record of the rebase was changed',
  validation: 'the validation still fails after the rebase',
};

function stuckText(name: string, { why, files }: Extract<Attention, { kind: 'resolution_stuck' }>): string {
  const where = files.length === 0 ? '' : ` in ${files.join(', ')}`;
  return `It does not resolve the conflict${where}: ${STUCK[why]}. Help it: llmc message ${name} "…" or llmc attach ${name}; give up: llmc rebase ${name} --abort`;
}

function resolvedText(
  name: string,
  { branch, lost, altered = 0, uncommitted, rescue: rescued }: Extract<Attention, { kind: 'resolved' }>,
): string {
  const missing =
    lost === 1
      ? 'one line or file of the two sides did not come out right'
      : `${lost} lines or files of the two sides did not come out right`;
  const other =
    altered === 1 ? 'one line or file is another than on the two sides' : `${altered} lines or files are others than on the two sides`;
  const proof = lost > 0 ? `but ${missing}` : altered > 0 ? `but ${other}` : 'and no line is lost';
  const besides = uncommitted ? ', with uncommitted changes besides the commit' : '';
  const before = rescued === undefined ? '' : ` Its work from before: llmc rescue show ${rescued}.`;
  return `It resolved its conflict with ${branch}, ${proof}${besides}.${before} Review it: llmc review ${name}`;
}

export function unsettledText(name: string, { commit, branch, problem }: Extract<Attention, { kind: 'unsettled_landing' }>): string {
  return `${commit.slice(0, 12)} is on ${branch}, but ${name} could not be made ready for its next task: ${problem}`;
}

function memoryText(name: string, memory: Memory): string {
  const holds = `Memory: it uses ${memory.megabytes} MB; the limit is ${memory.limit_mb} MB (memory_mb_per_worker)`;
  if (memory.kind === 'memory_restarted') return `${holds}; restarted`;
  return `${holds}; it grew back after ${memory.restarts} restarts. Open its terminal: llmc attach ${name}; or start over: llmc reset ${name}`;
}
