import { findAdapter, findDefaultCommand, findRecordedVersions } from '../../agents/registry.ts';
import { toKnownError } from '../../base/known-error.ts';
import type { CheckResult, WorkflowFiles } from '../../doctor/check.ts';
import { CHECKS, CHECKS_BEFORE_INIT } from '../../doctor/checks.ts';
import { doctorContext } from '../../doctor/context.ts';
import { runDoctor } from '../../doctor/run.ts';
import { openGit } from '../../git/run.ts';
import { isSupervised } from '../../supervisor/api/client.ts';
import { exists } from '../../system/files/files.ts';
import { systemProcesses } from '../../system/processes/processes.ts';
import { openLibrary } from '../../workflow/library/library.ts';
import type { Shell } from '../shell.ts';

/** Runs every check that applies to this root. */
export async function examine({ root, layout, options }: Shell): Promise<readonly CheckResult[]> {
  const hasRoot = [layout.config, layout.state, layout.database].some((file) => exists(file));
  const agents = {
    defaultCommand: findDefaultCommand,
    adapterOf: findAdapter,
    recordedVersions: findRecordedVersions,
    // A supervisor that does not answer, for example after Ctrl+Z, still supervises.
    isSupervised: async () => await isSupervised(layout.apiSocket, layout.owner).catch(() => true),
    silence: async () =>
      await isSupervised(layout.apiSocket, layout.owner).then(
        () => undefined,
        (error: unknown) => toKnownError(error),
      ),
    workflows: () => workflowFiles(root),
  };
  return await runDoctor(hasRoot ? CHECKS : CHECKS_BEFORE_INIT, doctorContext(root, options.version, agents));
}

/** Those of llmc itself are not the user's to correct. */
async function workflowFiles(root: string): Promise<WorkflowFiles> {
  const { workflows, problem } = await openLibrary(root, openGit(systemProcesses));
  const files = workflows.flatMap((workflow) => {
    const { file, origin } = workflow;
    if (origin !== 'root' && origin !== 'repository') return [];
    return [{ file, origin, problems: workflow.reading.kind === 'valid' ? [] : workflow.reading.problems }];
  });
  return { files, unread: problem };
}
