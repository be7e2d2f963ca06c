import { suggestBox, suggestReady } from '../agents/declared/suggest-pattern.ts';
import { jsonText } from '../base/visible-text.ts';
import type { AgentProgram } from '../config/agent-program.ts';
import type { WrongPattern } from '../store/findings/wrong-patterns.ts';
import { type Finding, ok, warning } from './check.ts';

const SHOWN_LINES = 3;

/** Which patterns would make a declared agent surer, and which of its patterns are proven wrong. `where`: its program. */
export function judgeDeclared({ name, adapter, declaration }: AgentProgram, where: string, found: readonly WrongPattern[]): Finding {
  const wrong = found.filter((each) => each.agent === adapter && isStillThere(each, declaration));
  if (wrong.length > 0) {
    const hints = wrong.map(
      (each) => `Write, for example: ${suggestion(each) ?? 'a pattern that fits'} (llmc inspect --worker ${each.worker}).`,
    );
    return warning(`${name} is ${where}; ${wrong.map((each) => wrongText(name, each)).join('; ')}`, hints.join(' '));
  }
  if (declaration?.box !== undefined) return ok(`${name} is ${where}`);
  const missing = (['ready', 'busy', 'dialog'] as const).filter((key) => declaration?.[key] === undefined);
  const surer = missing.length === 0 ? 'box' : `${missing.join(', ')}, box`;
  return ok(`${name} is ${where}; it works without patterns for its input box, and these would make it surer: ${surer} (docs/agents.md)`);
}

function wrongText(name: string, { pattern, source, kind, worker, lines, typed }: WrongPattern): string {
  const screen = `the screen of ${worker} said ${lines
    .slice(-SHOWN_LINES)
    .map((line) => jsonText(line.trim()))
    .join(', ')}`;
  const what = {
    never_matched: `matches no line of a screen that waits for a prompt: ${screen}`,
    misses_text: `does not find the text that llmc typed, ${jsonText(typed ?? '')}: ${screen}`,
    always_busy: `matches before the agent has anything to do: ${screen}`,
  }[kind];
  return `the pattern ${pattern} = ${jsonText(source)} of ${name} is wrong and not used: it ${what}`;
}

function suggestion({ pattern, kind, lines, typed }: WrongPattern): string | undefined {
  if (kind === 'always_busy') return `busy with words that only a turn shows, or no ${pattern}`;
  return pattern.startsWith('box') ? (suggestBox(lines, typed ?? '') ?? findBoxPattern(lines)) : suggestReady(lines);
}

/** Nothing was typed: the last line that begins like a prompt. */
function findBoxPattern(lines: readonly string[]): string | undefined {
  const mark = lines.findLast((line) => /^[│┃|\s]*\S{0,8}[>❯»›$%](?:\s|$)/u.test(line));
  const [before] = /^.*?[>❯»›$%]/u.exec(mark ?? '') ?? [];
  return before === undefined ? undefined : suggestBox([`${before} text`], 'text');
}

/** A pattern that was changed since is another one. */
function isStillThere({ pattern, source }: WrongPattern, declaration: AgentProgram['declaration']): boolean {
  if (declaration === undefined) return false;
  const [, key = '', index] = /^(\w+)(?:\[(\d+)\])?$/.exec(pattern) ?? [];
  const value = {
    ready: declaration.ready,
    busy: declaration.busy,
    dialog: declaration.dialog,
    box: declaration.box,
    box_more: declaration.boxMore,
  }[key];
  if (typeof value === 'string') return asSource(value) === source;
  const all = (value ?? []).map(asSource);
  return (index === undefined ? all.join(' or ') : all[Number(index)]) === source;
}

const asSource = (pattern: string): string => new RegExp(pattern, 'u').source;
