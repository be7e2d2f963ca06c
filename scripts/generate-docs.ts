import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationReference } from '../src/config/reference.ts';
import { agentVersionsPage } from './agent-versions-page.ts';
import { cliPage } from './cli-page.ts';
import { recoveryPage } from './recovery-page.ts';
import { statusesPage } from './statuses-page.ts';

/** Reference pages that come from the code. `--check` writes nothing and fails when one is out of date. */
const PAGES: Readonly<Record<string, () => string>> = {
  'agents/versions.md': agentVersionsPage,
  'cli.md': cliPage,
  'configuration.md': configurationReference,
  'recovery.md': recoveryPage,
  'statuses.md': statusesPage,
};

const check = process.argv.includes('--check');
for (const [name, render] of Object.entries(PAGES)) {
  const path = join(import.meta.dirname, '../docs', name);
  const page = render();
  if (page === current(path)) continue;
  if (check) {
    process.stderr.write(`docs/${name} is out of date; run: npm run docs\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, page);
    process.stdout.write(`docs/${name} written\n`);
  }
}

function current(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
