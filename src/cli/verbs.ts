import type { Verb } from './verb.ts';
import { accept } from './verbs/accept.ts';
import { add } from './verbs/add.ts';
import { answer } from './verbs/answer.ts';
import { attach } from './verbs/attach.ts';
import { completion } from './verbs/completion.ts';
import { demo } from './verbs/demo.ts';
import { doctor } from './verbs/doctor.ts';
import { down } from './verbs/down.ts';
import { events } from './verbs/events.ts';
import { init } from './verbs/init.ts';
import { inspect } from './verbs/inspect.ts';
import { logs } from './verbs/logs.ts';
import { message } from './verbs/message.ts';
import { nuke } from './verbs/nuke.ts';
import { rebase } from './verbs/rebase.ts';
import { reject } from './verbs/reject.ts';
import { report } from './verbs/report.ts';
import { rescue } from './verbs/rescue.ts';
import { reset } from './verbs/reset.ts';
import { review } from './verbs/review.ts';
import { service } from './verbs/service.ts';
import { start } from './verbs/start.ts';
import { status } from './verbs/status.ts';
import { undo } from './verbs/undo.ts';
import { unpark } from './verbs/unpark.ts';
import { up } from './verbs/up.ts';
import { wait } from './verbs/wait.ts';
import { why } from './verbs/why.ts';

/** All commands, in the order of `llmc help`. */
export const VERBS: readonly Verb[] = [
  init,
  add,
  up,
  down,
  status,
  start,
  message,
  answer,
  attach,
  wait,
  review,
  reject,
  accept,
  undo,
  rebase,
  nuke,
  rescue,
  reset,
  unpark,
  why,
  logs,
  events,
  doctor,
  report,
  service,
  inspect,
  demo,
  completion,
];
