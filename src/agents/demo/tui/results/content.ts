import { basename, extname } from 'node:path';
import type { AskedFile } from './asked-files.ts';
import { sampleOf } from './sample.ts';

/** The content of a file that no check finds fault with. A verdict approves. */
export function goodContent({ path: file, schema }: AskedFile, task: string): string {
  // JSON is YAML too.
  if (schema !== undefined) return `${JSON.stringify(sampleOf(schema, task), null, 2)}\n`;
  if (basename(file) === 'verdict.yaml') return verdictText([]);
  switch (extname(file).toLowerCase()) {
    case '.json':
      return `${JSON.stringify({ summary: task }, null, 2)}\n`;
    case '.yaml':
    case '.yml':
      return `summary: ${JSON.stringify(task)}\n`;
    default:
      return `# ${basename(file, extname(file))}\n\nThe task: ${task}\n\nThe demo agent has no model, so it found nothing out.\n`;
  }
}

/** Approves without issues. */
export function verdictText(issues: readonly string[]): string {
  if (issues.length === 0) return 'verdict: approved\nissues: []\n';
  return `verdict: changes\nissues:\n${issues.map((issue) => `  - ${JSON.stringify(issue)}\n`).join('')}`;
}

/** Neither YAML nor JSON. */
export const BROKEN_TEXT = 'verdict: [approved\nissues: "no end\n';

/** Valid YAML and JSON that no schema with a required field accepts. */
export const WRONG_TEXT = '{ "verdict": "perhaps", "issues": 7 }\n';
