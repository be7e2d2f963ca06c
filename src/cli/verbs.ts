import type { VerbGroup } from './program.ts';
import type { Verb } from './verb.ts';
import { abort } from './verbs/abort.ts';
import { accept } from './verbs/accept.ts';
import { add } from './verbs/add.ts';
import { agents } from './verbs/agents.ts';
import { answer } from './verbs/answer.ts';
import { attach } from './verbs/attach.ts';
import { checkpoint } from './verbs/checkpoint.ts';
import { clean } from './verbs/clean.ts';
import { code } from './verbs/code.ts';
import { completion } from './verbs/completion.ts';
import { decide } from './verbs/decide.ts';
import { demo } from './verbs/demo.ts';
import { diff } from './verbs/diff.ts';
import { dismiss } from './verbs/dismiss.ts';
import { doctor } from './verbs/doctor.ts';
import { down } from './verbs/down.ts';
import { events } from './verbs/events.ts';
import { init } from './verbs/init.ts';
import { inspect } from './verbs/inspect.ts';
import { logs } from './verbs/logs.ts';
import { message } from './verbs/message.ts';
import { nuke } from './verbs/nuke.ts';
import { pause } from './verbs/pause.ts';
import { queue } from './verbs/queue.ts';
import { rebase } from './verbs/rebase.ts';
import { recover } from './verbs/recover.ts';
import { reject } from './verbs/reject.ts';
import { report } from './verbs/report.ts';
import { rescue } from './verbs/rescue.ts';
import { reset } from './verbs/reset.ts';
import { resume } from './verbs/resume.ts';
import { review } from './verbs/review.ts';
import { roots } from './verbs/roots.ts';
import { run } from './verbs/run.ts';
import { runs } from './verbs/runs.ts';
import { search } from './verbs/search.ts';
import { send } from './verbs/send.ts';
import { service } from './verbs/service.ts';
import { sessions } from './verbs/sessions.ts';
import { show } from './verbs/show.ts';
import { start } from './verbs/start.ts';
import { status } from './verbs/status.ts';
import { ui } from './verbs/ui.ts';
import { undo } from './verbs/undo.ts';
import { unpark } from './verbs/unpark.ts';
import { up } from './verbs/up.ts';
import { wait } from './verbs/wait.ts';
import { why } from './verbs/why.ts';
import { workflows } from './verbs/workflows.ts';

/** All commands by what they are for, in the order of `llmc help`. */
export const VERB_GROUPS: readonly VerbGroup[] = [
  { title: 'Begin and end', verbs: [init, roots, add, up, down] },
  { title: 'Give tasks, and see how they go', verbs: [status, ui, start, queue, message, answer, attach, wait] },
  { title: 'Review and land', verbs: [diff, review, reject, accept, dismiss, undo, rebase] },
  { title: 'Free or remove a worker, and get its work back', verbs: [nuke, rescue, reset, unpark] },
  { title: 'Find out what happened', verbs: [why, logs, search, events, doctor, report] },
  {
    title: 'Workflows',
    verbs: [workflows, agents, run, runs, show, decide, send, pause, resume, checkpoint, recover, abort, clean],
  },
  { title: 'More', verbs: [service, code, sessions, inspect, demo, completion] },
];

export const VERBS: readonly Verb[] = VERB_GROUPS.flatMap(({ verbs }) => verbs);

/** The command that a word names; undefined also without a word, for which most commands have no second name either. */
export function verbNamed(word: string | undefined): Verb | undefined {
  return word === undefined ? undefined : VERBS.find(({ name, alias }) => name === word || alias === word);
}
