import { LlmcError } from '../../base/error.ts';
import type { SessionLine } from '../sessions/read-sessions.ts';
import { defineVerb } from '../verb.ts';

export const sessions = defineVerb<{ readonly sessions: readonly SessionLine[] }>({
  name: 'sessions',
  summary: 'check the tmux sessions of workers, for scripts',
  description:
    '"check" asks tmux once and prints a line for each session of a worker. With --csv, each line has nine columns, without a heading: session, status of its worker, tasks (3/5, as its agent says in progress.yaml), output file (the last screen of an agent that ended), exit code (128 and the number of a signal), session state, run, agent, step (the stage that the agent has or had last). States: in_progress, waiting (for an answer, a limit or a person), idle, stopped (on purpose), exited (status 0), crashed, not_found (gone without a trace), unknown (tmux did not answer). A name that nobody knows is not_found. It also works without a supervisor.',
  arguments: [
    { syntax: '<action>', about: 'check', words: ['check'] },
    { syntax: '[name...]', about: 'workers, runs or names of sessions (default: all workers)' },
  ],
  options: [{ flags: '--csv', about: 'nine columns of comma-separated values' }],
  examples: ['llmc sessions check', 'llmc sessions check swarm-1', 'llmc sessions check llmc-adam --csv | cut -d, -f6'],
  async run(input, shell) {
    const [action, ...names] = input.args;
    if (action !== 'check') throw new LlmcError('INVALID_ARGUMENT', `"${action}" is not check`, { hint: 'llmc sessions check' });
    return { sessions: await (await import('../sessions/read-sessions.ts')).readSessions(shell, names) };
  },
  async text({ sessions: lines }, shell, input) {
    const { sessionsCsv, sessionsTable } = await import('../sessions/sessions-text.ts');
    return input.flag('csv') ? sessionsCsv(lines) : sessionsTable(lines, shell.display);
  },
});
