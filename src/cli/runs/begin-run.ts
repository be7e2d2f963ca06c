import { LlmcError } from '../../base/error.ts';
import { shellWord } from '../../base/shell-quote.ts';
import { openGit } from '../../git/run.ts';
import { isSupervised } from '../../supervisor/api/client.ts';
import { requireRoot } from '../../supervisor/ownership/require-root.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { invalidWorkflow } from '../../workflow/control/invalid-workflow.ts';
import { requireItems } from '../../workflow/control/require-items.ts';
import type { Plan } from '../../workflow/definition/plan.ts';
import { readFileInputs, statusFiles } from '../../workflow/inputs/file-inputs.ts';
import { givenInput, type TypedInputs, typeInputs } from '../../workflow/inputs/type-inputs.ts';
import { findWorkflow } from '../../workflow/library/library.ts';
import { upDetached } from '../owner/detach.ts';
import type { Shell } from '../shell.ts';
import { confirmSameFiles } from './same-files.ts';
import { originLines } from './text/origin-lines.ts';

/** Checks the workflow and its inputs, starts the supervisor if none runs, and has it store the run. Returns the name of the run. */
export async function beginRun(shell: Shell, word: string, given: readonly string[]): Promise<string> {
  requireRoot(shell.layout);
  const found = await findWorkflow(shell.root, openGit(systemProcesses), word);
  const { file, text, reading, origin, name } = found.workflow;
  if (reading.kind === 'invalid') throw invalidWorkflow(file, reading.problems);
  const typed = typeInputs(reading.plan.inputs, given.map(givenInput));
  const inputs = await readInputs(reading.plan, word, typed);
  const files = statusFiles(reading.plan, typed, process.cwd());
  requireItems(reading.plan, inputs);
  for (const line of originLines(found, reading.plan)) shell.say(line);
  await confirmSameFiles(shell, files);
  await ensureSupervisor(shell);
  const started = await shell.call('run', { file, text, inputs, files, ...(origin !== undefined && { name }) }).catch((error: unknown) => {
    throw maybeRecorded(error);
  });
  for (const warning of started.warnings) shell.say(warning);
  return started.run;
}

async function readInputs({ inputs }: Plan, word: string, typed: TypedInputs): Promise<Readonly<Record<string, unknown>>> {
  const { values, problems } = await readFileInputs(inputs, typed, process.cwd());
  const [first, ...others] = problems;
  if (first === undefined) return values;
  const required = Object.entries(inputs).flatMap(([name, { optional, type }]) =>
    optional || type === 'flag' ? [] : [`--input ${name}=…`],
  );
  throw new LlmcError('INVALID_ARGUMENT', first, {
    ...(others.length > 0 && { details: others.join('\n') }),
    hint: ['llmc run', shellWord(word), ...required].join(' '),
  });
}

async function ensureSupervisor(shell: Shell): Promise<void> {
  if (await isSupervised(shell.layout.apiSocket, shell.layout.owner)) return;
  shell.say('No supervisor is running; starting it.');
  await upDetached(shell, false);
}

/** The supervisor may have ended after it stored the run: another try would make a second one. */
function maybeRecorded(error: unknown): unknown {
  if (!(error instanceof LlmcError) || error.code !== 'SUPERVISOR_FAILED') return error;
  return new LlmcError('SUPERVISOR_FAILED', error.message, {
    hint: 'llmc runs says whether the run is recorded; if it is, llmc up --detach continues it',
    cause: error,
  });
}
