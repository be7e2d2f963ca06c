import type { Instant } from '../../base/ports.ts';
import { quietUntil } from '../../base/quiet-hours.ts';
import { visibleLine } from '../../base/visible-text.ts';
import { type InvalidConfig, invalidConfigText } from '../../config/in-force.ts';
import type { Config } from '../../config/schema.ts';
import { chooseSettings } from '../../config/worker-settings.ts';
import { type ChangeSize, changeSize } from '../../git/change-size.ts';
import type { Worker } from '../../store/state.ts';
import { findAnswer } from '../../store/tables/answers.ts';
import { branchOfWork } from '../../workers/branch/run-base.ts';
import type { WorkContext } from '../../workers/context.ts';
import { collectFormerMains } from '../../workers/landing/former-mains.ts';
import { standing } from '../../workers/status/transitions.ts';
import { judgeOwner } from '../../workers/tasks/owner.ts';
import type { Fleet } from '../observe/fleet.ts';
import { toAsksReport } from './asks-report.ts';
import { chooseAttention } from './attention.ts';
import { decideNotice } from './decide-notice.ts';
import { KeptWorkers } from './kept-workers.ts';
import { makeDigest, makeNotice, type Notice, noticeAbout } from './notice.ts';
import { cutWithCount } from './notice-part.ts';
import { callsForAPerson, Notified } from './notified.ts';
import { unwritableNotice } from './unwritable-text.ts';

export type NotifyContext = Pick<WorkContext, 'store' | 'config' | 'terminal' | 'processes' | 'layout' | 'clock' | 'signal'>;

/** git says what finished work changes. */
type WorkerNotifyContext = NotifyContext & Pick<WorkContext, 'git'>;

export interface Notifier {
  /** Notifies a person of what is new about a worker. */
  check(name: string): void;
}

/** Rings the terminal of the supervisor, and shows the notice there if the terminal can. */
export type Ring = (how: { readonly bell: boolean; readonly notice: Pick<Notice, 'title' | 'text'> | undefined }) => void;

/**
 * Notifies a person once per reason, with the bell and what the configuration asks for. Notices in quiet hours, and more than a few in a
 * row, are kept and become one, also across a restart. Other attention that was there before `up` does not notify.
 */
export function notifier(context: WorkerNotifyContext, fleet: Pick<Fleet, 'watchOf' | 'troubleOf'>, ring: Ring): Notifier {
  const notified = new Notified();
  const { store, clock, signal } = context;
  for (const worker of Object.values(store.state.workers)) notified.note(worker, worker.attention);
  const current = (name: string): Worker | undefined => asObserved(store.state.workers[name], fleet);
  const dialogOf = ({ name, attention }: Worker) => toAsksReport(attention, fleet.watchOf(name)?.dialog.open)?.id ?? undefined;
  const kept = new KeptWorkers(store.database);
  const sentAt: Instant[] = [];

  const send = async (config: Config, workers: readonly Worker[]) => {
    sentAt.splice(0, Math.max(0, sentAt.length - MOST_REMEMBERED));
    sentAt.push(clock.now());
    const bell = workers.some((worker) => chooseSettings(config, worker).soundOnReview);
    if (workers.length > 0) await call(context, config, await noticeFor(context, config, workers, dialogOf), bell, ring);
  };

  const collect = (name: string, until: Instant) => {
    const waiting = kept.size > 0;
    kept.add(name);
    if (!waiting) void flushAt(until).catch(() => undefined);
  };

  const flushAt = async (until: Instant) => {
    await sleepUntil(clock, until, signal);
    const config = await context.config();
    const end = quietUntil(config.notify.quiet, clock.now());
    const names = kept.take();
    if (end !== undefined) {
      for (const name of names) collect(name, end);
      return;
    }
    // What a person has done meanwhile needs no notice any more.
    const workers = names.flatMap((name) => current(name) ?? []).filter(needsAPerson);
    await send(config, workers.map(asItStands));
    kept.forget(names);
  };

  const notice = async (worker: Worker) => {
    const config = await context.config();
    const now = clock.now();
    const policy = { quietUntil: quietUntil(config.notify.quiet, now), digestMs: config.notify.digestSecs * 1_000 };
    const step = decideNotice(sentAt, kept.size > 0, policy, now);
    if (step.kind === 'send') await send(config, [worker]);
    else collect(worker.name, step.until);
  };

  const resume = async (names: readonly string[]) => {
    const until = digestDue(await context.config(), clock.now());
    for (const name of names) collect(name, until);
  };
  void resume(kept.leftBehind()).catch(() => undefined);

  return {
    check(name) {
      const worker = current(name);
      if (isForAPerson(worker) && notified.note(worker, worker.attention)) void notice(worker).catch(() => undefined);
    },
  };
}

async function noticeFor(
  context: Pick<WorkContext, 'git' | 'layout' | 'clock' | 'store' | 'config'>,
  config: Config,
  workers: readonly Worker[],
  dialogOf: (worker: Worker) => string | undefined,
): Promise<Notice> {
  const answerOf = ({ answer }: Worker) => (answer === null ? undefined : findAnswer(context.store.database, answer)?.text);
  const told = await Promise.all(
    workers.map(async (worker) => ({
      worker,
      answer: answerOf(worker),
      dialog: dialogOf(worker),
      size: await measureChange(context, config, worker),
    })),
  );
  const [first, ...others] = told;
  const now = context.clock.now();
  return first !== undefined && others.length === 0 ? makeNotice(first, now) : makeDigest(told, now);
}

/** What finished work changes, if git can say: the notice goes out in any case. */
async function measureChange(
  context: Pick<WorkContext, 'git' | 'layout' | 'store' | 'config'>,
  config: Config,
  worker: Worker,
): Promise<ChangeSize | undefined> {
  const { commit_sha: commit } = worker;
  if (worker.status !== 'needs_review' || commit === null) return undefined;
  const { git, layout } = context;
  return await branchOfWork(context, config, worker)
    .then((branch) => changeSize(git, layout.root, branch, commit, collectFormerMains(context, worker, branch)))
    .catch(() => undefined);
}

/** A run calls a person by itself. */
function isForAPerson(worker: Worker | undefined): worker is Worker {
  return worker !== undefined && judgeOwner(worker) === 'person';
}

function asObserved(stored: Worker | undefined, fleet: Pick<Fleet, 'watchOf' | 'troubleOf'>): Worker | undefined {
  if (stored === undefined) return undefined;
  const { name } = stored;
  return { ...stored, attention: chooseAttention(stored, fleet.watchOf(name)?.assessment, fleet.troubleOf(name)) };
}

/** When a digest that an earlier supervisor kept goes out. Not at its planned time: the clock may have been set back since. */
function digestDue({ notify }: Config, now: Instant): Instant {
  return quietUntil(notify.quiet, now) ?? now + notify.digestSecs * 1_000;
}

/** A disk that is filled again and again is one reason to call. */
const CALLED_AGAIN_MS = 10 * 60_000;

/** Notifies a person, once for all workers, that nothing can be written. */
export function unwritableCaller(context: NotifyContext, fleet: Pick<Fleet, 'unwritable'>, ring: Ring): () => void {
  const { clock, layout, signal } = context;
  let calledAt: Instant | undefined;
  let isPending = false;
  const callOnce = async () => {
    const config = await context.config();
    const now = clock.now();
    // Later, if it lasts: nobody is told again about the same outage.
    if (calledAt !== undefined && calledAt <= now) await sleepUntil(clock, calledAt + CALLED_AGAIN_MS, signal);
    const end = quietUntil(config.notify.quiet, clock.now());
    if (end !== undefined) await sleepUntil(clock, end, signal);
    const { unwritable } = fleet;
    if (unwritable === undefined) return;
    calledAt = clock.now();
    const notice = unwritableNotice(unwritable, layout.root, calledAt);
    await call(context, config, notice, config.defaults.soundOnReview, ring);
  };
  const callLater = async () => {
    if (isPending) return;
    isPending = true;
    await callOnce().finally(() => {
      isPending = false;
    });
  };
  return () => void callLater().catch(() => undefined);
}

/** Notifies a person that config.toml is invalid; in quiet hours once they end. */
export function invalidConfigCaller(context: NotifyContext, ring: Ring): (invalid: InvalidConfig) => void {
  const { clock, signal } = context;
  const callOnce = async (invalid: InvalidConfig) => {
    const config = await context.config();
    const end = quietUntil(config.notify.quiet, clock.now());
    if (end !== undefined) await sleepUntil(clock, end, signal);
    const reason = invalidConfigText(invalid, clock.now());
    const notice = noticeAbout({
      title: 'llmc: config.toml is invalid',
      text: reason,
      reason,
      status: 'config_invalid',
      kind: 'config_invalid',
    });
    await call(context, config, notice, config.defaults.soundOnReview, ring);
  };
  return (invalid) => void callOnce(invalid).catch(() => undefined);
}

const MOST_REMEMBERED = 20;
const SLEEP_MS = 60_000;

/** By the clock on the wall, in short steps: a timer does not run while a laptop is suspended. A clock that is set back makes no wait longer. */
export async function sleepUntil(clock: NotifyContext['clock'], until: Instant, signal: AbortSignal): Promise<void> {
  let leftMs = until - clock.now();
  while (leftMs > 0) {
    const stepMs = Math.min(leftMs, SLEEP_MS);
    await clock.sleep(stepMs, signal);
    leftMs = Math.min(leftMs - stepMs, until - clock.now());
  }
}

/** A worker that is not up yet after a restart is named with what it waits for. */
const asItStands = (worker: Worker): Worker => ({ ...worker, status: standing(worker) });

function needsAPerson(worker: Worker): boolean {
  return callsForAPerson(standing(worker)) || worker.attention !== null;
}

export async function call(context: NotifyContext, config: Config, notice: Notice, bell: boolean, ring: Ring): Promise<void> {
  const { desktop, tmux, terminal, command } = config.notify;
  const { title, text, env, json } = notice;
  ring({ bell, notice: terminal ? { title, text } : undefined });
  if (tmux) await context.terminal.notify(cutWithCount(`${title}: ${visibleLine(text)}`, LONGEST_MESSAGE));
  if (desktop) await context.processes.run(desktopCommand(title, cutWithCount(text, LONGEST_BODY)), { timeoutMs: 5_000 });
  if (command !== '') {
    const stdin = `${JSON.stringify(json)}\n`;
    await context.processes.run({ file: 'sh', args: ['-c', command], cwd: context.layout.root, env, stdin }, { timeoutMs: 30_000 });
  }
}

/** tmux has one line for it, and cuts that itself (tmux 3.3a). */
const LONGEST_MESSAGE = 400;
/** More than any desktop shows. */
const LONGEST_BODY = 1_200;

function desktopCommand(title: string, body: string) {
  // A notification server reads the body as markup: an agent could add a link, or an image that the server loads.
  if (process.platform !== 'darwin')
    return { file: 'notify-send', args: ['--', title, body.replaceAll('&', '&amp;').replaceAll('<', '&lt;')] };
  const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';
  return { file: 'osascript', args: ['-e', script, title, body] };
}
