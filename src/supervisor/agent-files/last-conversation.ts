import { join } from 'node:path';
import { isConversationId } from '../../base/conversation-id.ts';
import type { Files } from '../../base/ports.ts';
import type { Config } from '../../config/schema.ts';
import { layoutAround } from '../../store/layout.ts';
import type { Worker } from '../../store/state.ts';
import { loadAgent } from '../../workers/context.ts';
import { taskIn } from '../../workers/prompt/prompts.ts';
import type { LastConversation } from '../../workers/repair/rebuild-state.ts';
import { agentEnvironment } from './agent-environment.ts';

const MOST_NAMES = 50_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** The agent writes these files, so neither their number nor the length of a prompt in them may fill the memory or `state.json`. */
const MOST_FILES = 50;
const LONGEST_TASK = 256 * 1024;
const ENDING = '.jsonl';

/** The newest conversation with a prompt in the CLI's own files, for a worker whose record is lost. */
export function lastConversation(files: Pick<Files, 'list' | 'readForeign'>, worker: Worker, config: Config): LastConversation | undefined {
  const { worktree_path: worktree, name } = worker;
  const { transcript } = loadAgent(config, worker.agent);
  const env = { ...agentEnvironment(config, worker), LLMC_SCRATCH: layoutAround(worktree).scratch(name) };
  const folder = transcript?.folder?.(env, worktree);
  if (transcript === undefined || folder === undefined) return undefined;
  const newestFirst = files
    .list(folder, MOST_NAMES)
    .files.filter(({ name: file }) => file.endsWith(ENDING) && isConversationId(file.slice(0, -ENDING.length)))
    .toSorted((one, other) => Number(other.mtimeNs - one.mtimeNs));
  for (const { name: file } of newestFirst.slice(0, MOST_FILES)) {
    const text = files.readForeign(join(folder, file), MOST_BYTES);
    // An older conversation has another task.
    if (text === undefined) return undefined;
    const [first] = transcript.prompts(text);
    if (first !== undefined) return { id: file.slice(0, -ENDING.length), task: taskIn(first.text).slice(0, LONGEST_TASK) };
  }
  return undefined;
}
