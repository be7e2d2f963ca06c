/**
 * Places where a crash is worth a test. The list of names is the list of crash
 * tests: each test kills the process there with SIGKILL and expects the work exactly once.
 */
export const FAULT_POINTS = [
  'state:before-journal',
  'state:after-journal',
  'state:before-rename',
  'start:before-commit',
  'start:after-commit',
  'queue:before-give',
  'queue:after-give',
  'run-worker:before-record',
  'run-worker:before-forget',
  'rest:after-record',
  'task:before-commit',
  'task:after-commit',
  'follow-up:before-commit',
  'follow-up:after-commit',
  'offer:before-commit',
  'offer:after-commit',
  'delivery:after-clear-paste',
  'delivery:after-clear-enter',
  'delivery:before-typed-row',
  'delivery:after-typed-row',
  'delivery:after-paste',
  'delivery:after-submitted-row',
  'delivery:after-enter',
  'delivery:before-acked-row',
  'delivery:after-acked-row',
  'event:before-record',
  'event:after-record',
  'accept:before-intent',
  'accept:after-intent',
  'accept:after-rebase',
  'accept:after-squash',
  'accept:before-land',
  'accept:after-land',
  'accept:before-branch',
  'accept:after-branch',
  'accept:before-reset',
  'accept:after-reset',
  'dismiss:before-save',
  'dismiss:after-save',
  'dismiss:after-commit',
  'undo:before-intent',
  'undo:after-intent',
  'undo:after-branch',
  'undo:after-main',
  'undo:after-side-branch',
  'undo:before-reset',
  'undo:after-reset',
  'undo:after-settle',
  'undo:after-revert',
  'undo:before-land',
  'undo:after-land',
  'limit:after-park',
  'limit:after-go-on',
  'stand-in:after-note',
  'stand-in:after-restart',
  'respawn:before-launch',
  'relaunch:before-rows',
  'relaunch:after-rows',
  'launch:before-incarnation',
  'launch:after-incarnation',
  'launch:after-session',
  'handover:before-answer',
  'handover:after-asked',
  'canary:after-folder',
  'canary:after-session',
  'canary:before-keep',
  'exchange:before-refs',
  'rebase:after-intent',
  'rebase:after-begin',
  'rebase:after-asked',
  'rebase:before-pass',
  'rebase:after-commit',
  'rebase:after-quit',
  'rebase:after-pass',
  'rebase:before-proof',
  'rebase:after-rescue',
  'rebase:after-proof',
  'rebase:after-validation',
  'rebase:after-settle',
  'rebase:before-abort',
  'rebase:before-merges',
  'relay:after-post',
  'run:before-commit',
  'run:after-commit',
  'run:after-claim',
  'run:before-perform',
  'run:after-perform',
  'run:after-post',
  'run:after-settle',
  'attempt:after-make',
  'attempt:after-exchange',
  'check:before-lines',
  'check:after-lines',
  'messages:after-post',
  'halt:before-partial',
  'dismiss:before-remove',
  'collect:before-ref',
  'collect:before-store',
  'collect:after-store',
  'archive-run:before-move',
  'archive-run:after-move',
  'archive-run:after-delete',
  'run-log:before-write',
  'run-log:before-rename',
  'archive:before-files',
  'archive:after-files',
  'run-undo:before-main',
  'run-undo:after-main',
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number];

let armed: { point: string; remaining: number } | undefined = parse(process.env.LLMC_FAULT);

/** Does nothing unless `LLMC_FAULT=<name>[@<nth>]` names this point; then the process dies as if by `kill -9`. */
export function fault(point: FaultPoint): void {
  if (armed?.point !== point) return;
  armed.remaining -= 1;
  if (armed.remaining > 0) return;
  armed = undefined;
  process.kill(process.pid, 'SIGKILL');
}

// `@` because the names themselves contain colons.
function parse(spec: string | undefined): { point: string; remaining: number } | undefined {
  if (!spec) return undefined;
  const [point = '', nth = '1'] = spec.split('@');
  return { point, remaining: Number(nth) };
}
