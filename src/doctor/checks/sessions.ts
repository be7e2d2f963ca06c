import { commandLine } from '../../base/shell-quote.ts';
import type { Repair } from '../../recovery/records/repair-step.ts';
import { Terminal } from '../../terminal/terminal.ts';
import { type Check, ok, repairable, warning } from '../check.ts';
import { withWorkers } from '../needs.ts';

export const sessionsCheck: Check = {
  name: 'sessions',
  run: (context) =>
    withWorkers(context, async (workers) => {
      const panes = await new Terminal(context.tmuxSocket, context.processes).panes();
      if (panes === undefined) return warning('not checked: tmux did not answer');
      const alive = new Set(panes.filter(({ dead }) => !dead).map(({ session }) => session));
      const gone = workers.filter(({ status, session_id }) => status !== 'offline' && !alive.has(session_id));
      const known = new Set(workers.map(({ session_id }) => session_id));
      const strange = [...new Set(panes.map(({ session }) => session))].filter((session) => !known.has(session));
      if (gone.length > 0)
        return warning(`no running session for ${gone.map(({ name, status }) => `${name} (${status})`).join(', ')}`, 'llmc up');
      if (strange.length > 0) {
        const hint = commandLine('tmux', '-S', context.tmuxSocket, 'kill-session', '-t', `=${strange[0]}`);
        const repairs = strange.map((session): Repair => {
          const does = `end the tmux session ${session} and what runs in it`;
          return { title: `session ${session}`, does, safe: false, step: { kind: 'session', session } };
        });
        return repairable(warning(`sessions without a worker: ${strange.join(', ')}`, hint), ...repairs);
      }
      if (alive.size > 0 && !(await context.isSupervised()))
        return warning(`${alive.size} running without a supervisor`, 'llmc up --detach takes them over, llmc down ends them');
      return ok(alive.size === 0 ? 'none running' : `${alive.size} running`);
    }),
};
