import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { describeError } from '../../../../base/error.ts';
import type { Change } from '../scenario/step.ts';

export type Edited = { readonly ok: true; readonly content: string } | { readonly ok: false; readonly reason: string };

/** `again`: an earlier process may have done the step before it was killed. */
export function applyChange(before: string | undefined, change: Change, again: boolean): Edited {
  switch (change.how) {
    case 'content':
      return { ok: true, content: change.text };
    case 'append': {
      const old = before ?? '';
      if (again && old.endsWith(change.text)) return { ok: true, content: old };
      return { ok: true, content: `${old}${old === '' || old.endsWith('\n') ? '' : '\n'}${change.text}` };
    }
    case 'replace': {
      const old = before ?? '';
      if (again && !old.includes(change.old) && old.includes(change.new)) return { ok: true, content: old };
      if (!old.includes(change.old)) return { ok: false, reason: 'the text to replace is not there' };
      return { ok: true, content: old.replace(change.old, () => change.new) };
    }
  }
}

export function editFile(cwd: string, path: string, change: Change, again: boolean): Edited {
  const inside = relative(cwd, join(cwd, path));
  if (isAbsolute(path) || inside === '' || inside.startsWith('..'))
    return { ok: false, reason: `${path} is outside the working directory` };
  const file = join(cwd, path);
  const edited = applyChange(read(file), change, again);
  if (!edited.ok) return edited;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, edited.content);
    return edited;
  } catch (error) {
    return { ok: false, reason: describeError(error) };
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
