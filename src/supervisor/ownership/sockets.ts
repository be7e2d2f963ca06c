import { dirname } from 'node:path';
import { LlmcError } from '../../base/error.ts';
import { commandLine } from '../../base/shell-quote.ts';
import type { Layout } from '../../store/layout.ts';
import { isOwnAlone, makeDirectory, removeTree } from '../../system/files/files.ts';

export function openSockets(layout: Layout): void {
  makeDirectory(dirname(layout.apiSocket));
  requireOwnSockets(layout);
}

export function closeSockets(layout: Layout): void {
  for (const path of [layout.apiSocket, layout.tmuxSocket]) removeTree(path);
  if (areOutside(layout)) removeTree(dirname(layout.apiSocket));
}

/** Outside the root, sockets are in a directory that every user may write to: another user who made the folder first could answer for the supervisor. */
export function requireOwnSockets(layout: Layout): void {
  const folder = dirname(layout.apiSocket);
  if (!areOutside(layout) || isOwnAlone(folder)) return;
  throw new LlmcError('PERMISSION_DENIED', `${folder} is open to other users, so the sockets of this root are not safe there`, {
    hint: `Check its owner, remove it and try again: ${commandLine('ls', '-ld', folder)}`,
  });
}

function areOutside(layout: Layout): boolean {
  return dirname(layout.apiSocket) !== layout.run;
}
