import { workerSettings } from '../config/worker-settings.ts';
import type { Worker } from '../store/state.ts';
import type { Status } from '../store/statuses.ts';
import type { WorkContext } from '../workers/context.ts';
import type { Notices } from './notices.ts';

/** Only these need a person. */
const CALLS_FOR_A_PERSON: readonly Status[] = ['needs_review', 'needs_input', 'error'];

/** Calls a person once per reason: bell, and what the configuration asks for besides. */
export function notifier(context: WorkContext, ring: () => void): Notices {
  const told = new Map<string, string>();
  return {
    moved(worker) {
      const reason = `${worker.status}: ${worker.attention ?? ''}`;
      if (told.get(worker.name) === reason) return;
      told.set(worker.name, reason);
      if (CALLS_FOR_A_PERSON.includes(worker.status)) void call(context, worker, ring).catch(() => undefined);
    },
  };
}

async function call(context: WorkContext, worker: Worker, ring: () => void): Promise<void> {
  const config = await context.config();
  const { desktop, tmux, command } = config.notify;
  const text = `llmc: ${worker.name} ${worker.status}`;
  if (workerSettings(config, worker.name).soundOnReview) ring();
  if (tmux) await context.terminal.notify(text);
  const env = { LLMC_WORKER: worker.name, LLMC_STATUS: worker.status, LLMC_REASON: worker.attention ?? '' };
  if (desktop) await context.processes.run(desktopCommand(text, worker.attention ?? ''), { timeoutMs: 5_000 });
  if (command !== '')
    await context.processes.run({ file: 'sh', args: ['-c', command], cwd: context.layout.root, env }, { timeoutMs: 30_000 });
}

function desktopCommand(title: string, body: string) {
  if (process.platform !== 'darwin') return { file: 'notify-send', args: ['--', title, body] };
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return { file: 'osascript', args: ['-e', script, title, body] };
}
