import type { Tampering } from '../../git/private/guard.ts';
import type { Store } from '../../store/store.ts';

/** Records what an agent changed in a repository and llmc put back. */
export function recordTampering(store: Store, say: (line: string) => void, tampering: Tampering): void {
  const summary = tamperingText(tampering);
  const worker = 'worker' in tampering && store.state.workers[tampering.worker] !== undefined ? tampering.worker : null;
  store.commit({ worker, kind: 'tampering', summary });
  say(worker === null ? summary : `${worker}: ${summary}`);
}

const EFFECTS = {
  repository: 'sent git to another repository',
  attributes: "changed how the agents' git treats files",
  history: "changed the history that the agents' git shows",
};

function tamperingText(tampering: Tampering): string {
  switch (tampering.kind) {
    case 'settings': {
      const { path, removed, restored } = tampering;
      const did = [
        ...(removed.length === 0 ? [] : [`removed ${removed.join(', ')}`]),
        ...(restored.length === 0 ? [] : [`restored ${restored.join(', ')}`]),
      ];
      return `${path} was changed; llmc ${did.join(' and ')}. Set what you need in the source, or with git config --global`;
    }
    case 'foreign-file':
      return `${tampering.path} ${EFFECTS[tampering.effect]}; llmc removed it`;
    case 'links':
      return `there were links in what git keeps about the worktree; llmc removed ${tampering.paths.join(', ')}`;
    case 'connection':
      return `what connects the worktree with its repository was changed; llmc wrote it again: ${tampering.paths.join(', ')}`;
  }
}
