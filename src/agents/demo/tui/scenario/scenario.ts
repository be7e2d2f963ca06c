import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { scenarioSchema } from './scenario-schema.ts';
import type { Scenario } from './step.ts';

export type ParsedScenario =
  | { readonly ok: true; readonly scenario: Scenario }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reports every problem as `file:line:column: problem`. */
export function parseScenario(text: string, file: string): ParsedScenario {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    return { ok: false, problems: document.errors.map((error) => `${at(error.pos[0])}: ${error.message.split('\n')[0]}`) };
  }
  const parsed = scenarioSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return { ok: true, scenario: parsed.data };
  const problems = parsed.error.issues.map((issue) => `${at(offsetOf(document, issue.path))}: ${describe(issue)}`);
  return { ok: false, problems };
}

type Issue = z.core.$ZodIssue;
type ParsedDocument = ReturnType<typeof parseDocument>;

// The nearest position that exists in the file, because a missing key has no position.
function offsetOf(document: ParsedDocument, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true);
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
      const [offset] = node.range;
      if (typeof offset === 'number') return offset;
    }
  }
  return 0;
}

function describe(issue: Issue): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  if (issue.code === 'unrecognized_keys') return `${where}unknown key ${issue.keys.map((key) => `"${key}"`).join(', ')}`;
  return `${where}${issue.message}`;
}
