import { visibleLine } from '../../base/visible-text.ts';
import { agentKey } from '../model/agent-key.ts';
import type { Run } from '../model/run.ts';
import { HANDOFF_FILE, OUT_FOLDER, PROGRESS_FILE } from '../next/values.ts';
import type { Exchange, Incoming } from './exchange.ts';
import { readProgress } from './left/progress.ts';

const LARGEST_PROGRESS = 4_096;
const MOST_FILES = 50;

interface Handed {
  readonly step: string;
  readonly role: string;
  readonly agent: 'own' | 'fallback';
  readonly worktree: string;
  /** The worktree stands as the other agent left it. */
  readonly keeps: boolean;
}

/** What an agent that takes over should know about the one before it, as a file: it has none of its conversation. */
export async function handoffNote(exchange: Exchange, run: Run, handed: Handed): Promise<Incoming> {
  const lines = [...whyLines(run, handed), ...(handed.keeps ? await leftLines(exchange, handed.worktree) : [GONE])];
  return { path: HANDOFF_FILE, text: `# Handoff\n\n${lines.join('\n')}\n` };
}

const GONE = 'Its worktree is gone: begin the task again.';

/** The role's own agent comes back only after its fallback has failed as well, or by the word of a person. */
function whyLines({ roles }: Run, { role, step, agent }: Handed): readonly string[] {
  const { replaced } = roles[agentKey(role, step)] ?? {};
  if (agent === 'own' || replaced === undefined) return ['Another agent began this task and could not finish it.'];
  const { agent: name, tries } = replaced.context;
  const who = typeof name === 'string' ? name : 'Another agent';
  const often = typeof tries === 'number' ? ` It had ${tries} ${tries === 1 ? 'attempt' : 'attempts'}.` : '';
  return [`${visibleLine(who)} began this task and could not finish it: ${visibleLine(replaced.message)}.${often}`];
}

async function leftLines(exchange: Exchange, worktree: string): Promise<readonly string[]> {
  const files = (await exchange.list(worktree)).filter((path) => path !== PROGRESS_FILE);
  const left = await exchange.read(worktree, PROGRESS_FILE, LARGEST_PROGRESS);
  const progress = left.kind === 'text' ? readProgress(left.text) : null;
  return [
    'Its commits and its changes are in this worktree: see git log and git status.',
    ...(progress === null
      ? []
      : [`It said that ${progress.done} of ${progress.total} were done${progress.note === '' ? '' : ` (${progress.note})`}.`]),
    ...(files.length === 0
      ? []
      : ['Files that it left, perhaps not complete:', ...files.slice(0, MOST_FILES).map((path) => `- ${OUT_FOLDER}/${visibleLine(path)}`)]),
  ];
}
