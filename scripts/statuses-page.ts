import type { Attention } from '../src/store/attention.ts';
import { STATUSES, type Status } from '../src/store/statuses.ts';
import { TRANSITIONS } from '../src/workers/status/transitions.ts';

const MEANINGS: Readonly<Record<Status, readonly [meaning: string, next: string]>> = {
  idle: ['has nothing to do; its worktree is on main', '`llmc start`'],
  working: ['has a task', 'nothing; `llmc message` adds an instruction'],
  needs_input: ['asks something, or its turn ended without a commit', '`llmc answer`, `llmc message`, `llmc attach`'],
  needs_review: [
    'has a commit to review, or an answer to read',
    '`llmc review`, then `llmc accept` or `llmc reject`; after an answer `llmc dismiss` or `llmc message`',
  ],
  rejected: ['works on feedback', 'nothing'],
  rebasing: [
    'resolves conflicts with main; takes no task and no review during that time',
    'nothing; `llmc message` helps it, `llmc rebase --abort` gives up',
  ],
  error: ['cannot continue without a person', '`llmc why`, then `llmc message` or `llmc reset`'],
  offline: ['its session does not run; llmc keeps its previous status', '`llmc up`'],
};

const ATTENTION: Readonly<Record<Attention['kind'], string>> = {
  review: 'a commit waits for your review',
  review_without_agent: 'the same, and the agent ended too often to be restarted before you decide',
  question: 'the agent asks something',
  permission: 'the agent asks for permission; the sentence has the tool and the command',
  login: 'the agent is not logged in, and asks how to log in: `llmc attach <worker>`. `llmc answer` refuses',
  startup_dialog: 'the agent shows a dialog at its start that llmc does not answer',
  answer: 'the answer that a task asked for waits to be read',
  no_commit: 'the turn ended without a commit',
  commit_unchanged:
    'the turn after your feedback ended with the same commit, which you can accept all the same; with files that are not committed, the worker is `needs_input`. Until the commit changes, it lands only by its name before you have looked at it again, also after a failed accept, a conflict that is over, or an agent that ended',
  off_branch:
    'the turn ended where no review can begin: on a branch without a commit, on commits that have no history in common with main, or with a HEAD or index that git cannot read',
  no_answer: 'the turn ended without the answer that the task asked for',
  turn_failed: 'the turn failed, and so did every attempt to continue it',
  agent_blocked: 'the turn failed, and you have to fix the cause first: log in, pay, compact a full conversation',
  crashed: 'the agent ended too often in a row; the sentence names the file with its last screen',
  not_found: 'the session of the agent was gone too often in a row, without a trace',
  cannot_start: 'the agent refuses to start, or its program is missing',
  stuck: 'the agent is in a turn, shows no progress and does not answer',
  worktree_deleted: 'the worktree was deleted too often in a row',
  conflict: 'the commit conflicts with main',
  conflict_given_up: 'the agent aborted the rebase; the commit is as before and still conflicts',
  resolution_stuck: 'the agent does not resolve its conflict without you',
  resolved: 'a commit whose conflict with main is resolved waits for your review',
  not_landed: 'an accept did not land the commit',
  landing: 'an accept runs a validation command',
  unsettled_landing: 'the commit is on main, but the worker is not ready for its next task',
  draft_in_box: 'a prompt waits because a draft is in the input box',
  prompt_waits: 'a prompt has waited too long: something is open in the terminal of the agent, or the agent does not react',
  agent_stopped: 'a signal stopped the process of the agent',
  delivery_failed: 'a prompt was not delivered',
  memory_restarted: 'the agent used too much memory and was restarted',
  memory_exceeded: 'the agent uses too much memory after several restarts',
  repaired: 'its record contradicted itself, and llmc could not know what was meant',
  restored: 'saved work was put back into the worktree',
  trouble: 'llmc cannot supervise the worker right now',
  unreadable_screen: 'llmc cannot classify the screen of the agent',
  not_started: 'no supervisor runs',
  being_started: 'the supervisor is opening the session of the worker',
  no_session: 'the supervisor runs, but the session of the worker does not',
};

const INTRODUCTION = `# Statuses

A status says where a worker is in the flow of work. \`state.json\` stores it and \`llmc status\` shows it. A status is not the
activity of the agent (starting, ready, processing, asking, gone): each pass assesses the activity again and llmc never stores it.

This page is generated from the table in \`src/workers/status/transitions.ts\` (\`npm run docs\`).
`;

/** docs/statuses.md. */
export function statusesPage(): string {
  const statuses = STATUSES.map((status) => `| \`${status}\` | ${MEANINGS[status].join(' | ')} |`);
  const events = Object.entries(TRANSITIONS).map(
    ([event, { from, to, meaning }]) =>
      `| \`${event}\` | ${meaning} | ${fromText(from)} | ${to === 'before' ? 'its previous status' : `\`${to}\``} |`,
  );
  const kinds = Object.entries(ATTENTION).map(([kind, meaning]) => `| \`${kind}\` | ${meaning} |`);
  return `${INTRODUCTION}
| status | the worker | what you can do |
|---|---|---|
${statuses.join('\n')}

## Events that change a status

| event | meaning | from | to |
|---|---|---|---|
${events.join('\n')}

llmc refuses any other pair with \`ILLEGAL_TRANSITION\`, which names both.

The history (\`llmc why\`, \`llmc logs\`, the live lines of \`llmc up\`) has one line per move, with both statuses, the event and the reason:
\`working → needs_review (committed): the turn ended with a commit\`.

## What a person should do

In JSON, \`attention\` is null or one sentence that ends with what to type, and \`attention_kind\` is its kind: scripts compare the
kind. \`work\` is null or the size of the commit that waits for review: \`insertions\`, \`deletions\` and \`files\`. The notify command gets them as \`LLMC_REASON\` and \`LLMC_REASON_KIND\`.

| \`attention_kind\` | meaning |
|---|---|
${kinds.join('\n')}
`;
}

function fromText(from: readonly Status[]): string {
  const missing = STATUSES.filter((status) => !from.includes(status));
  return missing.length === 1 ? `all but \`${missing[0]}\`` : from.map((status) => `\`${status}\``).join(', ');
}
