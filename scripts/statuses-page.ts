import { STATUSES, type Status } from '../src/store/statuses.ts';
import { TRANSITIONS } from '../src/workers/status/transitions.ts';

const MEANINGS: Readonly<Record<Status, readonly [meaning: string, next: string]>> = {
  idle: ['has nothing to do; its worktree stands on main', '`llmc start`'],
  working: ['has a task', 'nothing; `llmc message` to add a word'],
  needs_input: ['asks something, or its turn ended without a commit', '`llmc answer`, `llmc message`, `llmc attach`'],
  needs_review: ['has a commit to look at', '`llmc review`, then `llmc accept` or `llmc reject`'],
  rejected: ['is at work on feedback', 'nothing'],
  rebasing: ['resolves conflicts with main; takes no task and no review meanwhile (nothing leads here yet)', 'nothing'],
  error: ['cannot go on by itself', '`llmc why`, then `llmc message` or `llmc reset`'],
  offline: ['its session does not run; where it stood is kept', '`llmc up`'],
};

const INTRODUCTION = `# Statuses

Where a worker stands in the flow of work, as \`state.json\` keeps it and \`llmc status\` shows it. What its agent is doing at
this moment (starting, ready, processing, asking, gone) is another matter: that is observed anew each time and never stored.

This page is generated from the table in \`src/workers/status/transitions.ts\` (\`npm run docs\`).
`;

/** docs/statuses.md. */
export function statusesPage(): string {
  const statuses = STATUSES.map((status) => `| \`${status}\` | ${MEANINGS[status].join(' | ')} |`);
  const events = Object.entries(TRANSITIONS).map(
    ([event, { from, to, meaning }]) =>
      `| \`${event}\` | ${meaning} | ${fromText(from)} | ${to === 'before' ? 'where it stood before' : `\`${to}\``} |`,
  );
  return `${INTRODUCTION}
| status | the worker | what you can do |
|---|---|---|
${statuses.join('\n')}

## What moves it

| event | meaning | from | to |
|---|---|---|---|
${events.join('\n')}

Any other pair is refused with \`ILLEGAL_TRANSITION\`, which names both.

The history (\`llmc why\`, \`llmc logs\`, the live lines of \`llmc up\`) has one line per move, with both statuses, the event and the reason:
\`working → needs_review (committed): the turn ended with a commit\`.
`;
}

function fromText(from: readonly Status[]): string {
  const missing = STATUSES.filter((status) => !from.includes(status));
  return missing.length === 1 ? `all but \`${missing[0]}\`` : from.map((status) => `\`${status}\``).join(', ');
}
