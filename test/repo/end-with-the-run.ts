import { constants } from 'node:os';

/*
 * A run that is stopped from outside (Ctrl+C, a build that is cancelled, a kill) ends its test
 * processes by a signal, or leaves them alone in the world. Neither runs an exit handler, and agents
 * and their tmux servers would stay.
 */
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(128 + constants.signals[signal]));
process.once('disconnect', () => process.exit());
