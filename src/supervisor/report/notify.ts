import { workerSettings } from '../../config/worker-settings.ts';
import type { Worker } from '../../store/state.ts';
import type { WorkContext } from '../../workers/context.ts';
import { attentionText } from '../../workers/status/attention-text.ts';
import { predicateOf } from '../../workers/status/status-words.ts';
import type { Fleet } from '../observe/fleet.ts';
import { attentionOf } from './attention.ts';
import { Notified } from './notified.ts';

type NotifyContext = Pick<WorkContext, 'store' | 'config' | 'terminal' | 'processes' | 'layout'>;

export interface Notifier {
  /** Notifies a person of what is new about a worker. */
  check(name: string): void;
}

/** Notifies a person once per reason, with the bell and what the configuration asks for. What was there before `up` does not notify. */
export function notifier(context: NotifyContext, fleet: Pick<Fleet, 'watchOf' | 'troubleOf'>, ring: () => void): Notifier {
  const notified = new Notified();
  for (const worker of Object.values(context.store.state.workers)) notified.note(worker, worker.attention);
  return {
    check(name) {
      const stored = context.store.state.workers[name];
      if (stored === undefined) return;
      const worker = { ...stored, attention: attentionOf(stored, fleet.watchOf(name)?.assessment, fleet.troubleOf(name)) };
      if (notified.note(worker, worker.attention)) void call(context, worker, ring).catch(() => undefined);
    },
  };
}

/** Linux starts no program with an argument or a variable of more than 128 KB (Linux 6.1), so a long question would silence the call. */
const LONGEST_REASON = 4_000;

async function call(context: NotifyContext, worker: Worker, ring: () => void): Promise<void> {
  const config = await context.config();
  const { desktop, tmux, command } = config.notify;
  const reason = worker.attention === null ? '' : attentionText(worker.name, worker.attention).slice(0, LONGEST_REASON);
  const text = `llmc: ${worker.name} ${predicateOf(worker.status)}`;
  if (workerSettings(config, worker.name).soundOnReview) ring();
  if (tmux) await context.terminal.notify(text);
  const env = { LLMC_WORKER: worker.name, LLMC_STATUS: worker.status, LLMC_REASON: reason, LLMC_REASON_KIND: worker.attention?.kind ?? '' };
  if (desktop) await context.processes.run(desktopCommand(text, reason), { timeoutMs: 5_000 });
  if (command !== '')
    await context.processes.run({ file: 'sh', args: ['-c', command], cwd: context.layout.root, env }, { timeoutMs: 30_000 });
}

function desktopCommand(title: string, body: string) {
  // A notification server reads the body as markup: an agent could add a link, or an image that the server loads.
  if (process.platform !== 'darwin')
    return { file: 'notify-send', args: ['--', title, body.replaceAll('&', '&amp;').replaceAll('<', '&lt;')] };
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return { file: 'osascript', args: ['-e', script, title, body] };
}
