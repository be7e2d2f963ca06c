import { formatAge } from '../src/base/duration.ts';
import { ENDED_AT, EXIT_CASES } from '../src/recovery/cases/exit-cases.ts';
import { FAILED_AT, FAILED_TURN_CASES } from '../src/recovery/cases/failed-turn-cases.ts';
import { END_CASES, PARK_CASES, RESUME_CASES } from '../src/recovery/cases/limit-cases.ts';
import { NOON } from '../src/recovery/cases/samples.ts';
import { STUCK_AT, STUCK_CASES } from '../src/recovery/cases/stuck-cases.ts';
import { TAKEN_CASES } from '../src/recovery/cases/taken-cases.ts';
import { decideExit, type ExitStep } from '../src/recovery/decide-exit.ts';
import { decideFailedTurn, type FailedTurnStep } from '../src/recovery/decide-failed-turn.ts';
import { decideEnd, decideParking, type EndStep, type ParkStep } from '../src/recovery/decide-limit.ts';
import { decideResume, type ResumeStep } from '../src/recovery/decide-resume.ts';
import { decideStuck, type StuckStep } from '../src/recovery/decide-stuck.ts';
import { decideTaken, type TakenStep } from '../src/recovery/decide-taken.ts';
import { EXIT_POLICY } from '../src/recovery/policies/exit-policy.ts';
import { FAILED_TURN_POLICY } from '../src/recovery/policies/failed-turn-policy.ts';
import { LIMIT_POLICY } from '../src/recovery/policies/limit-policy.ts';
import { STUCK_POLICY } from '../src/recovery/policies/stuck-policy.ts';
import { table } from './recovery-table.ts';

export function crash(): string {
  const { maxCrashes, backoffMs, rateLimitMs, resumeAttempts } = EXIT_POLICY;
  const waits = backoffMs.map((ms) => (ms === 0 ? 'at once' : `after ${formatAge(ms)}`)).join(', then ');
  return `## An agent that ended

llmc starts an agent that ended without an order again in its conversation, ${waits}, plus up to ${EXIT_POLICY.jitter * 100} % by chance, and tells it to
continue. It calls a person at ${maxCrashes} crashes in a row. A finished task, a message of a person or a day without a crash ends the row. Status and signal
say who ended it; the last lines of an agent that was never ready say more (it cannot resume, it refuses to start, its program is missing), and so
does a last line about a rate limit, which is worth a wait of ${formatAge(rateLimitMs)}. \`crashed\` and \`not_found\` are different words: a session that is gone
left neither a status nor a screen.

An agent that is killed while it resumes its conversation, alone, with tmux, with the supervisor or with the machine, has refused nothing: its conversation
stays and is resumed again. llmc begins a new one only if the agent says that it does not have the conversation, or after ${resumeAttempts} starts in a row that ended by
themselves (an exit status, or a signal for a fault of its own such as SIGSEGV) before they had resumed it. The new conversation gets only what is
still open, says so, and \`llmc why\` says why the old one was given up. The last five screens of each worker are files in \`logs/\`, \`<worker>.screen-<time>.txt\`.

${table(EXIT_CASES, afterExit, (one) => decideExit(one.view, { ...EXIT_POLICY, ...one.policy }, ENDED_AT))}`;
}

function afterExit(step: ExitStep): string {
  switch (step.kind) {
    case 'delay':
      return `wait ${formatAge(step.until - ENDED_AT)}, then start it`;
    case 'fail':
      return 'call a person';
    case 'rest':
      return step.called ? 'nothing' : 'leave it without an agent until the review';
    case 'relaunch':
      return `start it in ${step.conversation === 'resume' ? 'its conversation' : 'a new conversation'}${step.goOn ? '' : ', without a prompt'}`;
    case 'wait':
      return 'wait';
  }
}

export function taken(): string {
  return `## What the next incarnation is told

An agent ended with a prompt that it had acknowledged. The CLI's own record is the witness: the transcript of Claude Code, the rollout of Codex, the
memory of the demo agent. llmc reads it before it starts the agent again, and queues in one transaction what the agent gets:
[when the agent ends with a prompt](delivery.md#when-the-agent-ends-with-a-prompt).

${table(TAKEN_CASES, afterEnd, (one) => decideTaken(one.view))}`;
}

function afterEnd({ kind, again }: TakenStep): string {
  switch (kind) {
    case 'nothing':
      return 'nothing';
    case 'again':
      return `send ${again.length === 1 ? 'the prompt' : 'the prompts'} again, and nothing else`;
    case 'go_on':
      return again.length === 0 ? 'tell it to continue' : 'send the missing prompt again, then tell it to continue';
    case 'story':
      return 'tell the task, and what was told since, in a new conversation';
    case 'question':
      return 'keep the question; the answer is sent as a prompt';
  }
}

export function failedTurn(): string {
  const waits = FAILED_TURN_POLICY.backoffMs.map((ms) => formatAge(ms)).join(', ');
  return `## A failed turn

A turn ends with an error after the CLI has given up its own retries. A temporary error (the service is overloaded or fails, the network
breaks, a stream is cut) needs no person: the agent is told to continue in the same conversation after ${waits}, plus up to
${FAILED_TURN_POLICY.jitter * 100} % by chance. The worker keeps its status, and \`llmc status\` shows the attempt and its time. A turn that ends well, or a tool
that the agent used since, starts the row again. A message that waited when the turn failed goes out after the agent was told to continue, and one that you send
later at once. [Usage limits](usage-limits.md) have a decision of their own.

${table(FAILED_TURN_CASES, afterFailure, (one) => decideFailedTurn(one.view, { ...FAILED_TURN_POLICY, ...one.policy }, FAILED_AT))}`;
}

function afterFailure(step: FailedTurnStep): string {
  switch (step.kind) {
    case 'plan':
      return `wait ${formatAge((step.failed.until_ms ?? FAILED_AT) - FAILED_AT)}, then continue`;
    case 'go_on':
      return { continue: 'continue', compact: 'compact, then continue', fresh: 'start a new conversation with the task so far' }[step.how];
    case 'settle':
      return 'drop the attempt';
    case 'forget':
      return 'forget the failure';
    case 'call':
      return 'call a person';
    case 'wait':
    case 'nothing':
      return step.kind;
  }
}

export function stuck(): string {
  const { nudgeMs, checkMs, secondNudgeMs, callMs } = STUCK_POLICY;
  return `## An agent without progress

An agent is in a turn and shows nothing for ${formatAge(nudgeMs)}: it is interrupted and asked for its status. After ${formatAge(checkMs)} llmc checks for an answer and for
a commit, after ${formatAge(secondNudgeMs)} it asks again, and after ${formatAge(callMs)} it calls a person (\`needs_input\`). \`stuck_secs\` sets the four times, for all workers or for one.

Signs of progress are: a report of the agent, a new text on its screen (not the spinner or its timer), a line in its transcript, a
message over its protocol, a key of a person, and a command of the agent that used at least 50 ms of the processor in ten seconds. So a
long silent build is not stuck. A stream that stalls, a tool that hangs and a dialog that llmc does not recognise are. A supervisor
that starts in between goes on counting, without the time in which none ran, and at the same rung.

${table(STUCK_CASES, whenStuck, (one) => decideStuck(one.view, STUCK_POLICY, STUCK_AT))}`;
}

function whenStuck(step: StuckStep): string {
  switch (step.kind) {
    case 'ask_git':
      return 'ask git for a commit';
    case 'nudge':
      return step.ladder.rungs === 1 ? 'interrupt it and ask for its status' : 'interrupt it and ask again';
    case 'climb':
      return 'wait for the next rung';
    case 'forget':
      return 'forget the silence';
    case 'review':
      return 'call a person to review the commit';
    case 'call':
      return 'call a person';
    case 'nothing':
      return 'nothing';
  }
}

export function limits(): string {
  const { guessMs } = LIMIT_POLICY;
  return `## Usage limits

A usage limit belongs to an account: [usage limits](usage-limits.md) explains it. An agent at its limit …

${table(PARK_CASES, afterLimit, (one) => decideParking(one.view.hit, one.view.known, LIMIT_POLICY, NOON))}
A parked account … (a limit without a named end lasts ${formatAge(guessMs)}, \`rate_limit_wait_secs\`)

${table(END_CASES, afterPark, (one) => decideEnd(one.view, LIMIT_POLICY, NOON))}
A worker that a usage limit stopped, when …

${table(RESUME_CASES, atLimitsEnd, (one) => decideResume(one.view, NOON))}`;
}

const afterLimit = ({ kind }: ParkStep): string => ({ nothing: 'nothing', park: 'park the account', change: 'change its record' })[kind];

const afterPark = ({ kind }: EndStep): string => ({ nothing: 'nothing', end: 'end the limit', shorten: 'shorten it' })[kind];

const atLimitsEnd = ({ kind }: ResumeStep): string =>
  ({ nothing: 'nothing', wait: 'wait', go_on: 'continue', settled: 'settle the limit' })[kind];
