import { formatAge } from '../src/base/duration.ts';
import { PATROL_CASES } from '../src/recovery/cases/patrol-cases.ts';
import { RECORD_CASES, RECORDED_AT } from '../src/recovery/cases/record-cases.ts';
import { SESSION_CASES } from '../src/recovery/cases/session-cases.ts';
import { STALL_CASES, START_CASES } from '../src/recovery/cases/supervisor-cases.ts';
import { decidePatrol } from '../src/recovery/decide-patrol.ts';
import { decideSession, type SessionStep } from '../src/recovery/decide-session.ts';
import { STALLED_AFTER_MS } from '../src/recovery/decide-stall.ts';
import { patrolText } from '../src/recovery/patrol-text.ts';
import { repairRecord } from '../src/recovery/records/decide-consistency.ts';
import { decideState, type StateStep } from '../src/store/decide-state.ts';
import { STATE_CASES } from '../src/store/state-cases.ts';
import { shortTable, table } from './recovery-table.ts';

export function sessions(): string {
  return `## Orphaned sessions

When the supervisor comes up, it compares each worker's record with the sessions in tmux. A worker keeps its status and its task: an agent that is
started continues its conversation. A session that disappears while the supervisor runs is [an agent that ended](#an-agent-that-ended).

${table(SESSION_CASES, forSession, (one) => decideSession(one.view))}`;
}

const SESSION_STEPS: Readonly<Record<SessionStep['kind'], string>> = {
  adopt: 'observe it as it is',
  start: 'start the agent in its conversation',
  replace: 'end what runs there, and start the agent of the record',
  refuse: 'start nothing, and call a person',
  leave: 'leave it; `llmc doctor` names it, and `--repair --yes` ends it',
  nothing: 'nothing',
};

const forSession = ({ kind }: SessionStep): string => SESSION_STEPS[kind];

export function patrol(): string {
  const rows = PATROL_CASES.map(({ when, view }) => [when, patrolText(decidePatrol([view]))] as const);
  return `## Patrol

A slow round beside the quick passes, every minute (\`patrol_interval_secs\`): sessions, turns that have ended, work that waits for a review and is behind main,
agents without progress. [Patrol](supervisor.md#patrol) has the rest. For a worker that …

${shortTable('when it', 'the round reports', rows)}`;
}

export function supervisor(): string {
  const stalls = STALL_CASES.map(({ when, stalled }) => [when, stalled ? 'report it; a service starts it again' : 'nothing'] as const);
  const starts = START_CASES.map(({ when, delayMs }) => [when, delayMs === 0 ? 'at once' : `after ${formatAge(delayMs)}`] as const);
  return `## The supervisor itself

It records each pass. Without a pass for ${formatAge(STALLED_AFTER_MS)}, it lives and does nothing: \`llmc status\`, \`llmc doctor\` and the watchdog of the [service](supervisor.md) say so.

${shortTable('a supervisor that', 'then', stalls)}
A service waits before it starts a supervisor that keeps ending:

${shortTable('start', 'happens', starts)}`;
}

export function recordRules(): string {
  const rows = RECORD_CASES.map(({ when, record, breaks, commit }) => {
    const repairs = breaks.map((rule) => {
      const { why, standing } = repairRecord(rule, record, RECORDED_AT, commit);
      return standing === undefined ? why : `${why} → \`${standing}\``;
    });
    return [when, repairs.length === 0 ? 'nothing' : repairs.join('; ')] as const;
  });
  return `## Records that contradict themselves

\`llmc up\` and \`llmc doctor --repair\` correct the record of a worker and write what they did into the log. What llmc cannot know is asked of a person. A worker that …

${shortTable('when it', 'then', rows)}`;
}

export function stateFile(): string {
  return `## A broken state

The supervisor compares \`state.json\` with the record in \`llmc.db\` when it opens the root, and \`llmc doctor\` names the damage before. A damaged \`llmc.db\` is set
aside and begun again, as [on disk](architecture.md#on-disk) explains.

${table(STATE_CASES, toRestore, (one) => decideState(one.view))}`;
}

function toRestore(step: StateStep): string {
  if (step.kind === 'keep') return 'use the file';
  if (step.kind === 'refuse') return 'refuse to start, and name what to do';
  const from = step.from === 'record' ? 'the record in `llmc.db`' : 'the backup';
  return `restore it from ${from}${step.setAside ? ', keep the broken file' : ''}${step.reported ? ', report it' : ''}`;
}
