import { shellWord } from '../base/shell-quote.ts';
import { type Check, warning } from './check.ts';
import { accessCheck } from './checks/access.ts';
import { agentsCheck } from './checks/agents.ts';
import { configCheck } from './checks/config.ts';
import { configuredWorkersCheck } from './checks/configured-workers.ts';
import { consistencyCheck } from './checks/consistency.ts';
import { databaseCheck } from './checks/database.ts';
import { hooksCheck } from './checks/hooks.ts';
import { locksCheck } from './checks/locks.ts';
import { loginsCheck } from './checks/logins.ts';
import { clockCheck } from './checks/machine/clock.ts';
import { difftCheck } from './checks/machine/difft.ts';
import { diskCheck } from './checks/machine/disk.ts';
import { gitCheck } from './checks/machine/git.ts';
import { identityCheck } from './checks/machine/identity.ts';
import { inotifyCheck } from './checks/machine/inotify.ts';
import { lfsCheck } from './checks/machine/lfs.ts';
import { nodeCheck } from './checks/machine/node.ts';
import { tmuxCheck } from './checks/machine/tmux.ts';
import { operationsCheck } from './checks/operations.ts';
import { orphansCheck } from './checks/orphans.ts';
import { placesCheck } from './checks/places.ts';
import { repositoryCheck } from './checks/repository.ts';
import { rootSettingsCheck } from './checks/root-settings.ts';
import { sandboxCheck } from './checks/sandbox.ts';
import { sessionsCheck } from './checks/sessions.ts';
import { socketsCheck } from './checks/sockets.ts';
import { sourceCheck } from './checks/source.ts';
import { stateCheck } from './checks/state.ts';
import { supervisorCheck } from './checks/supervisor.ts';
import { workflowsCheck } from './checks/workflows.ts';
import { worktreesCheck } from './checks/worktrees.ts';

const noRootCheck: Check = {
  name: 'root',
  run: async ({ root }) => warning(`there is no root at ${root} yet`, `llmc init --source path/to/repository --target ${shellWord(root)}`),
};

/** What can be checked before `llmc init`: this machine. */
export const CHECKS_BEFORE_INIT: readonly Check[] = [nodeCheck, gitCheck, tmuxCheck, identityCheck, noRootCheck];

/** Sorted: first the machine, then the root, then its workers, because the first problem usually causes the later ones. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  gitCheck,
  tmuxCheck,
  identityCheck,
  diskCheck,
  inotifyCheck,
  clockCheck,
  placesCheck,
  accessCheck,
  configCheck,
  sourceCheck,
  lfsCheck,
  workflowsCheck,
  agentsCheck,
  loginsCheck,
  sandboxCheck,
  stateCheck,
  databaseCheck,
  consistencyCheck,
  configuredWorkersCheck,
  rootSettingsCheck,
  repositoryCheck,
  worktreesCheck,
  operationsCheck,
  locksCheck,
  supervisorCheck,
  socketsCheck,
  sessionsCheck,
  hooksCheck,
  orphansCheck,
  difftCheck,
];
