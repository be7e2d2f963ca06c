import type { Assessment } from '../agents/activity.ts';
import { workerSettings } from '../config/worker-settings.ts';
import type { Worker } from '../store/state.ts';
import type { Status } from '../store/statuses.ts';
import type { WorkContext } from '../workers/context.ts';
import { standing } from '../workers/status.ts';
import { attentionOf } from './attention.ts';

/** These always need a person; the others do when they have something to say. */
const CALLS_FOR_A_PERSON: readonly Status[] = ['needs_review', 'needs_input', 'error'];

type NotifyContext = Pick<WorkContext, 'store' | 'config' | 'terminal' | 'processes' | 'layout'>;

export interface Notifier {
  /** Compares every worker with what was told of it, and calls a person for what is new. */
  check(): void;
}

/** Calls a person once per reason: bell, and what the configuration asks for besides. What stood there before `up` is known already. */
export function notifier(context: NotifyContext, assessmentOf: (name: string) => Assessment | undefined, ring: () => void): Notifier {
  const told = new Map<string, { status: Status; reasons: Set<string> }>();
  const isNew = (worker: Worker, attention: string | null): boolean => {
    const status = standing(worker);
    const known = told.get(worker.name);
    const entry = known?.status === status ? known : { status, reasons: new Set<string>() };
    told.set(worker.name, entry);
    if (entry.reasons.has(attention ?? '')) return false;
    entry.reasons.add(attention ?? '');
    return CALLS_FOR_A_PERSON.includes(status) || attention !== null;
  };
  for (const worker of Object.values(context.store.state.workers)) isNew(worker, worker.attention);
  return {
    check() {
      for (const worker of Object.values(context.store.state.workers)) {
        const attention = attentionOf(worker, assessmentOf(worker.name));
        if (isNew(worker, attention)) void call(context, worker, attention ?? '', ring).catch(() => undefined);
      }
    },
  };
}

async function call(context: NotifyContext, worker: Worker, reason: string, ring: () => void): Promise<void> {
  const config = await context.config();
  const { desktop, tmux, command } = config.notify;
  const text = `llmc: ${worker.name} ${worker.status}`;
  if (workerSettings(config, worker.name).soundOnReview) ring();
  if (tmux) await context.terminal.notify(text);
  const env = { LLMC_WORKER: worker.name, LLMC_STATUS: worker.status, LLMC_REASON: reason };
  if (desktop) await context.processes.run(desktopCommand(text, reason), { timeoutMs: 5_000 });
  if (command !== '')
    await context.processes.run({ file: 'sh', args: ['-c', command], cwd: context.layout.root, env }, { timeoutMs: 30_000 });
}

function desktopCommand(title: string, body: string) {
  if (process.platform !== 'darwin') return { file: 'notify-send', args: ['--', title, body] };
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return { file: 'osascript', args: ['-e', script, title, body] };
}
