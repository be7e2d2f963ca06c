import { commandInOneLine } from '../../base/command-in-one-line.ts';
import { formatAge } from '../../base/duration.ts';
import { capitalised, sentence } from '../../base/sentence.ts';
import { commandLine } from '../../base/shell-quote.ts';
import { visibleLine } from '../../base/visible-text.ts';
import type { Attention } from '../../store/attention.ts';
import { reasonText } from '../prompt/delivery-reason-text.ts';

/** For JSON: the sentence, and its kind beside it. */
export interface AttentionReport {
  readonly attention: string | null;
  readonly attention_kind: Attention['kind'] | null;
}

export function attentionReport(name: string, attention: Attention | null): AttentionReport {
  return { attention: attention && attentionText(name, attention), attention_kind: attention?.kind ?? null };
}

type Asking = Extract<Attention, { kind: 'question' | 'permission' }>;
type Failure = Extract<Attention, { kind: 'turn_failed' | 'agent_blocked' }>;
type Conflict = Extract<Attention, { kind: 'conflict' | 'conflict_given_up' | 'resolution_stuck' | 'resolved' }>;
type GivenUp = Extract<Attention, { kind: 'conflict_given_up' }>;
type Memory = Extract<Attention, { kind: 'memory_restarted' | 'memory_exceeded' }>;

/** Renders attention in one line that ends with what to type. No other code does. */
export function attentionText(name: string, attention: Attention): string {
  return visibleLine(wordsFor(name, attention));
}

function wordsFor(name: string, attention: Attention): string {
  switch (attention.kind) {
    case 'review':
      return `Review it: llmc review ${name}${attention.uncommitted ? ' (there are uncommitted changes besides the commit)' : ''}`;
    case 'review_without_agent':
      return `Review it: llmc review ${name}. The agent ended ${attention.endings} times in a row (llmc why ${name}) and is restarted after you decide`;
    case 'question':
    case 'permission':
      return askingText(name, attention);
    case 'startup_dialog':
      return `A start-up dialog needs you: ${sentence(attention.question)} Answer it there: llmc attach ${name}`;
    case 'no_commit':
      return `It stopped without a commit. Open its terminal (llmc attach ${name}) or send more instructions: llmc message ${name} "…"`;
    case 'commit_unchanged':
      return `It stopped without changing its commit. Open its terminal (llmc attach ${name}) or send more instructions: llmc message ${name} "…"`;
    case 'worktree_deleted':
      return `Its worktree was deleted several times. What it did: llmc why ${name}; start over: llmc reset ${name}`;
    case 'draft_in_box':
      return `A prompt waits because a draft is in the input box. Send or clear the draft: llmc attach ${name}`;
    case 'turn_failed':
    case 'agent_blocked':
      return failureText(name, attention);
    case 'crashed':
      return `The agent ended ${attention.endings} times in a row. Its last screen: llmc why ${name}; continue: llmc message ${name} "continue"; start over: llmc reset ${name}`;
    case 'conflict':
    case 'conflict_given_up':
    case 'resolution_stuck':
    case 'resolved':
      return conflictText(name, attention);
    case 'landing':
      return `Landing: ${attention.line}, ${formatAge(attention.seconds * 1_000)}`;
    case 'not_landed':
      if (attention.todo !== undefined) return `Not landed: ${sentence(attention.problem)} ${attention.todo}, then: llmc accept ${name}`;
      return `Not landed: ${sentence(attention.problem)} Show the diff: llmc review ${name}; send it back: llmc reject --worker ${name} "…"`;
    case 'unsettled_landing':
      return `${sentence(unsettledText(name, attention))} Finish it: llmc accept ${name}`;
    case 'delivery_failed':
      // The time only matters to a prompt that waits for one.
      return `A prompt could not be delivered: ${sentence(reasonText(attention.reason, 0))} Details: llmc why ${name}`;
    case 'memory_restarted':
    case 'memory_exceeded':
      return memoryText(name, attention);
    case 'restored':
      return `Restored ${attention.rescue}. Tell it what to do: llmc message ${name} "…"`;
    case 'trouble':
      return `${capitalised(sentence(attention.message), name)} ${attention.hint ?? `More: llmc why ${name}`}`;
    case 'unreadable_screen':
      return `Its screen cannot be classified: ${sentence(attention.rule)} Open its terminal: llmc attach ${name}; how llmc classifies it: llmc inspect --worker ${name}`;
    case 'not_started':
      return 'Start it: llmc up --detach';
    case 'being_started':
      return 'It is being started';
    case 'no_session':
      return `Its session does not run: llmc why ${name}`;
    case 'note':
      return attention.text;
  }
}

function askingText(name: string, asking: Asking): string {
  const what = asking.kind === 'permission' ? `wants permission for ${asking.tool}` : 'asks';
  if (asking.kind === 'question' && asking.unread) return `It ${what}: ${sentence(asking.question)} Answer it there: llmc attach ${name}`;
  const command = asking.kind === 'permission' && asking.command !== null ? `${commandInOneLine(asking.command)} – ` : '';
  const choices = asking.choices.length === 0 ? '' : ` [${asking.choices.join(' / ')}]`;
  // A pasted example must not allow anything: the last choice of a permission dialog refuses.
  const example = String(asking.kind === 'permission' ? asking.choices.length : 1);
  const answer = asking.choices.length === 0 ? `llmc answer ${name} "…"` : commandLine('llmc', 'answer', name, example);
  return `It ${what}: ${command}${sentence(`${asking.question}${choices}`)} Answer, for example: ${answer}; or open its terminal: llmc attach ${name}`;
}

const FAILURES: Readonly<Record<Failure['error'], string>> = {
  rate_limit: 'too many requests',
  overloaded: 'the service is overloaded',
  network: 'the network failed',
  auth: 'authentication failed',
  billing: 'the account cannot pay',
  invalid_request: 'the request was refused',
  tool: 'a tool failed',
  api: 'the service failed',
  unknown: 'for an unknown reason',
};

/** What only a person can do. */
const FIXES: Partial<Record<Failure['error'], (worker: string) => string>> = {
  auth: (worker) => `Log in again or correct the key (llmc attach ${worker})`,
  billing: () => 'Pay, or use another account',
};

function failureText(name: string, { kind, error, message }: Failure): string {
  const goOn = `llmc message ${name} "continue"`;
  if (kind === 'turn_failed') return `The turn failed, ${FAILURES[error]}: ${sentence(message)} Continue with: ${goOn}`;
  const fix = FIXES[error]?.(name) ?? 'Fix that';
  return `The agent cannot continue, ${FAILURES[error]}: ${sentence(message)} ${fix}, then: ${goOn}`;
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

function resolvedText(name: string, { branch, lost, uncommitted, rescue: rescued }: Extract<Attention, { kind: 'resolved' }>): string {
  const missing =
    lost === 1
      ? 'one line or file of the two sides did not come out right'
      : `${lost} lines or files of the two sides did not come out right`;
  const proof = lost === 0 ? 'and no line is lost' : `but ${missing}`;
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
