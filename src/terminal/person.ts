import { findScript, findScriptProblem } from '../system/processes/named-script.ts';
import { type AgentsSince, isPersonsTerminal, traceOrigin } from '../system/processes/origin.ts';
import { type Inside, isOfSomeRoot, type SessionPaths, sessionAbove } from './session-above.ts';

/** Why nothing shows that a person runs a command. */
export type Lacking =
  /** It has no terminal, and no script above it that the user named. */
  | { readonly kind: 'no_terminal' }
  /** It has one of them, and the first of its parents may have been started by an agent. */
  | { readonly kind: 'origin'; readonly pid: number; readonly name: string }
  /** The user named the script, and another user could have written it. */
  | { readonly kind: 'unsafe_script'; readonly path: string; readonly problem: string }
  /** The system does not say which process asks. */
  | { readonly kind: 'unreadable' }
  /** It gave a code that is not valid. */
  | { readonly kind: 'code' };

export type Caller =
  | { readonly kind: 'person'; readonly by: 'terminal' | 'script' }
  | ({ readonly kind: 'inside' } & Inside)
  | { readonly kind: 'unshown'; readonly lacks: Lacking };

/** What the user permits, from config.toml. */
export interface Allowed {
  readonly scripts: readonly string[];
  /** What agents may write besides the root. */
  readonly writable: readonly string[];
}

/**
 * Who a process is, by what the kernel says about it and its parents: inside a worker, shown to be a person, or neither. Works only
 * where /proc does. Asks for `allowed` only if no terminal shows a person. `others`: processes that run code of agents.
 */
export async function identifyCaller(
  pid: number,
  place: SessionPaths & { readonly root: string },
  agents: AgentsSince,
  allowed: () => Promise<Allowed>,
  others: readonly number[] = [],
): Promise<Caller> {
  const inside = sessionAbove(pid, place, others);
  if (inside !== undefined) return { kind: 'inside', ...inside };
  const { chain, kind } = traceOrigin(pid, agents);
  if (isPersonsTerminal(pid, agents) && !chain.some(isOfSomeRoot)) return { kind: 'person', by: 'terminal' };
  const [self, ...above] = chain;
  if (self === undefined) return unshown({ kind: 'unreadable' });
  const { scripts, writable } = await allowed();
  // Not the command itself: every agent can run llmc.
  const path = above.map((each) => findScript(each.pid, scripts)).find((found) => found !== undefined);
  if (path === undefined && self.terminal === 0) return unshown({ kind: 'no_terminal' });
  const { pid: top, name } = chain.at(-1) ?? self;
  if (path === undefined || kind === undefined) return unshown({ kind: 'origin', pid: top, name });
  const problem = findScriptProblem(path, [place.root, ...writable]);
  return problem === undefined ? { kind: 'person', by: 'script' } : unshown({ kind: 'unsafe_script', path, problem });
}

const unshown = (lacks: Lacking): Caller => ({ kind: 'unshown', lacks });
