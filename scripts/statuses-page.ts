import { STATUSES, type Status } from '../src/store/statuses.ts';
import { TRANSITIONS } from '../src/workers/status/transitions.ts';

const MEANINGS: Readonly<Record<Status, readonly [meaning: string, next: string]>> = {
  idle: ['has nothing to do; its worktree is on main', '`llmc start`'],
  working: ['has a task', 'nothing; `llmc message` adds an instruction'],
  needs_input: ['asks something, or its turn ended without a commit', '`llmc answer`, `llmc message`, `llmc attach`'],
  needs_review: ['has a commit to review', '`llmc review`, then `llmc accept` or `llmc reject`'],
  rejected: ['works on feedback', 'nothing'],
  rebasing: ['resolves conflicts with main; takes no task and no review during that time (no event leads here yet)', 'nothing'],
  error: ['cannot continue without a person', '`llmc why`, then `llmc message` or `llmc reset`'],
  offline: ['its session does not run; llmc keeps its previous status', '`llmc up`'],
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
`;
}

function fromText(from: readonly Status[]): string {
  const missing = STATUSES.filter((status) => !from.includes(status));
  return missing.length === 1 ? `all but \`${missing[0]}\`` : from.map((status) => `\`${status}\``).join(', ');
}
