import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the processes of one run keep what test/support/made-once.ts copies. */
    keptFolders: string;
  }
}

export default function setup({ provide, config }: TestProject): () => void {
  const folder = mkdtempSync(join(config.env?.['TMPDIR'] ?? tmpdir(), 'llmc-made-once-'));
  provide('keptFolders', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
