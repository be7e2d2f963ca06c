import { join } from 'node:path';
import { openBeneath } from '../../system/files/beneath.ts';
import { openPlain, readEnd } from '../../system/files/foreign-file.ts';
import type { PartContent } from './part.ts';

/** Of each file, its end. */
const MOST_BYTES = 256 * 1024;

/** The end of a file in the folder of the logs. Never through a link: it could lead to a file that does not belong into a report. */
export async function readLogFile(root: string, name: string, kind: 'text' | 'json_lines'): Promise<PartContent | undefined> {
  await using folder = await openBeneath(root, 'logs');
  if (folder === undefined) throw new Error('logs is not a folder');
  const path = join(folder.here, name);
  using file = openPlain(path);
  if (file === undefined) return undefined;
  const end = readEnd(path, MOST_BYTES);
  return end && { kind, text: end.text, cut: file.found.size > MOST_BYTES };
}
