import type { SessionStep, SessionView } from '../decide-session.ts';
import type { Case } from './case.ts';

type SessionCase = Case<SessionView, never, SessionStep>;

const row = (when: string, changes: Partial<SessionView>, kind: SessionStep['kind']): SessionCase => ({
  when,
  view: { worker: { launched: true }, pane: 'alive', incarnation: 'same', ...changes },
  step: { kind },
});
const NO_WORKER = { worker: undefined } as const;
const NOT_LAUNCHED = { worker: { launched: false } } as const;

export const SESSION_CASES: readonly SessionCase[] = [
  row('the session of a worker runs', {}, 'adopt'),
  row('it runs, and the environment of its agent cannot be read', { incarnation: 'unknown' }, 'adopt'),
  row('it runs, with the agent of an earlier start', { incarnation: 'other' }, 'replace'),
  row('it runs, and the worker was given another agent that was never started', NOT_LAUNCHED, 'replace'),
  row('its agent has ended in it', { pane: 'dead' }, 'start'),
  row('a worker has no session, as after a reboot', { pane: 'missing' }, 'start'),
  row('a new worker has no session', { ...NOT_LAUNCHED, pane: 'missing' }, 'start'),
  row('tmux does not answer', { pane: 'unknown', incarnation: 'unknown' }, 'refuse'),
  row('a person, or an agent, opened a session of that name by hand', { pane: 'foreign', incarnation: 'unknown' }, 'refuse'),
  row('the same for a new worker', { ...NOT_LAUNCHED, pane: 'foreign', incarnation: 'unknown' }, 'refuse'),
  row('a session has no worker', NO_WORKER, 'leave'),
  row('a session has no worker and was opened by hand', { ...NO_WORKER, pane: 'foreign' }, 'leave'),
  row('a session has no worker, and its program has ended', { ...NO_WORKER, pane: 'dead' }, 'leave'),
  row('there is neither a worker nor a session', { ...NO_WORKER, pane: 'missing' }, 'nothing'),
];
