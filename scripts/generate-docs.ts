import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configurationReference } from '../src/config/reference.ts';
import { workflowJsonSchema } from '../src/workflow/definition/json-schema.ts';
import { agentVersionsPage } from './agent-versions-page.ts';
import { cliPage } from './cli-page.ts';
import { manPage } from './man-page.ts';
import { PICTURES } from './pictures/pictures.ts';
import { recoveryPage } from './recovery-page.ts';
import { statusesPage } from './statuses-page.ts';
import { workflowReferencePage } from './workflow-reference-page.ts';

/** Reference pages, and the schema for editors, that come from the code. `--check` writes nothing and fails when one is out of date. */
const PAGES: Readonly<Record<string, () => string>> = {
  ...PICTURES,
  'docs/agents/versions.md': agentVersionsPage,
  'docs/cli.md': cliPage,
  'docs/configuration.md': configurationReference,
  'docs/recovery.md': recoveryPage,
  'docs/statuses.md': statusesPage,
  'docs/workflow-reference.md': workflowReferencePage,
  'man/llmc.1': manPage,
  'schemas/workflow.json': () => `${JSON.stringify(workflowJsonSchema(), undefined, 2)}\n`,
};

const check = process.argv.includes('--check');
for (const [name, render] of Object.entries(PAGES)) {
  const path = join(import.meta.dirname, '..', name);
  const page = render();
  if (page === current(path)) continue;
  if (check) {
    process.stderr.write(`${name} is out of date; run: npm run docs\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, page);
    process.stdout.write(`${name} written\n`);
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
