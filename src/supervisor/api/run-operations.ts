import { z } from 'zod';
import { abortRun, checkpointRun, decideRun, sendToRole } from '../../workflow/control/control-run.ts';
import { pauseRun } from '../../workflow/control/pause-run.ts';
import { resumeRun } from '../../workflow/control/resume-run.ts';
import { recoverRun } from '../../workflow/recover/recover-run.ts';
import { recoveryProbes } from '../../workflow/recover/recovery-facts.ts';
import { define, shownText } from './define-operation.ts';

const run = z.string();

/** What people and agents do with runs. The engine takes it up: in a moment, or at the next start of the supervisor. */
export const RUN_OPERATIONS = {
  run: define({
    args: z.object({
      file: z.string(),
      text: z.string(),
      name: z.string().optional(),
      inputs: z.record(z.string(), z.unknown()),
      files: z.record(z.string(), z.string()).optional(),
    }),
    needsSupervisor: true,
    // Imported late: the reading of YAML is a seventh of what each command without a supervisor would load.
    run: async (context, args) => await (await import('../../workflow/control/start-run.ts')).startRun(context, args),
  }),
  decide: define({
    args: z.object({ run, number: z.int().positive().optional(), option: z.string(), text: z.string().optional() }),
    needsSupervisor: false,
    run: decideRun,
  }),
  abort: define({ args: z.object({ run, why: shownText }), needsSupervisor: false, run: abortRun }),
  pause: define({ args: z.object({ run, now: z.boolean() }), needsSupervisor: false, run: pauseRun }),
  resume: define({
    args: z.object({
      run,
      from: z.string().optional(),
      restart: z.string().optional(),
      skipTo: z.string().optional(),
      workflow: z.object({ file: z.string(), text: z.string(), name: z.string().optional() }).optional(),
    }),
    needsSupervisor: false,
    run: resumeRun,
  }),
  checkpoint: define({ args: z.object({ run, note: z.string() }), needsSupervisor: false, run: checkpointRun }),
  recover: define({
    args: z.object({
      run,
      checkpoint: z.string().optional(),
      from: z.string().optional(),
      retryFailedStage: z.boolean(),
      keepAgents: z.boolean(),
      dropMessages: z.boolean(),
    }),
    needsSupervisor: false,
    run: (context, args) => recoverRun(context, args, recoveryProbes(context)),
  }),
  clean: define({
    args: z.object({ runs: z.array(run), workers: z.array(z.string()), left: z.array(z.string()), olderThanMs: z.number().nonnegative() }),
    needsSupervisor: false,
    run: async (context, args) => await (await import('../../workflow/archive/clean.ts')).cleanRoot(context, args),
  }),
  send: define({
    args: z.object({ run, role: z.string(), text: shownText, from: z.string().optional() }),
    needsSupervisor: false,
    run: sendToRole,
  }),
} as const;
