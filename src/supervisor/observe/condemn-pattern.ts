import type { Agent } from '../../agents/agent.ts';
import { keepWrongPattern, type WrongPattern } from '../../store/findings/wrong-patterns.ts';
import type { WorkContext } from '../../workers/context.ts';
import type { Watch } from './watch.ts';

const KEPT_LINES = 12;
const KEPT_TEXT = 60;

type Context = Pick<WorkContext, 'store' | 'layout' | 'clock' | 'say'>;

/** Records a pattern that is proven wrong, for `llmc doctor`, and goes on without it. */
export function condemnPattern(
  { store, layout, clock, say }: Context,
  { name: worker }: Watch,
  agent: Agent,
  { pattern, kind }: Pick<WrongPattern, 'pattern' | 'kind'>,
  { lines, typed }: { readonly lines: readonly string[]; readonly typed?: string },
): void {
  const { patterns } = agent;
  if (patterns === undefined) return;
  const shown = lines.filter((line) => line !== '').slice(-KEPT_LINES);
  keepWrongPattern(layout.wrongPatterns, {
    agent: agent.name,
    pattern,
    kind,
    source: patterns.source(pattern),
    worker,
    at_ms: clock.now(),
    lines: shown,
    typed: typed?.slice(0, KEPT_TEXT) ?? null,
  });
  const summary = `the pattern ${pattern} of [agents.${agent.name}] is wrong, and llmc goes on without it: llmc doctor`;
  store.commit({ worker, kind: 'pattern', summary });
  say(`${worker}: ${summary}`);
  patterns.distrust(pattern);
}
