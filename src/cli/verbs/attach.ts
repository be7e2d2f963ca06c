import { LlmcError } from '../../base/error.ts';
import { findWorker } from '../../store/find-worker.ts';
import { readStateLeniently } from '../../store/read-state-leniently.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { defineVerb } from '../verb.ts';

export const attach = defineVerb({
  name: 'attach',
  summary: "open a worker's terminal",
  description:
    'Opens the session of the agent. You can type in it; the right end of its status line says which keys come back: Ctrl-b d, or Ctrl-b Ctrl-b d in a tmux of your own with the same prefix. llmc holds its prompts while you type. Decide on its work in another terminal: llmc refuses that here, as it does for the agent.',
  arguments: [{ syntax: '<worker>', about: 'the worker whose terminal to open' }],
  options: [],
  examples: ['llmc attach adam'],
  async run(input, shell) {
    const { Terminal } = await import('../../terminal/terminal.ts');
    const { systemProcesses } = await import('../../system/processes/processes.ts');
    const { runInteractive } = await import('../../system/processes/interactive.ts');
    requireRoot(shell.layout);
    const worker = findWorker(readStateLeniently(shell.layout), input.args[0] ?? '');
    const terminal = new Terminal(shell.layout.tmuxSocket, systemProcesses);
    const pane = (await terminal.panes())?.find(({ session }) => session === worker.session_id);
    if (pane === undefined)
      throw new LlmcError('SESSION_NOT_FOUND', `the session of ${worker.name} is not running`, { hint: 'llmc up --detach' });
    if (process.stdin.isTTY !== true)
      throw new LlmcError('INVALID_ARGUMENT', 'attach needs a terminal', { hint: `llmc why ${worker.name} shows the last screen` });
    const comesBack = `${await terminal.wayBack(Boolean(process.env.TMUX))} comes back`;
    shell.say(`The terminal of ${worker.name}: ${comesBack}.`);
    await runInteractive(terminal.attachWithNote(worker.session_id, comesBack));
    return undefined;
  },
});
