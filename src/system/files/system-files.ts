import type { Files } from '../../base/ports.ts';
import { fileStamp } from './file-stamp.ts';
import { exists, makeDirectory, namesIn, readTextIfThere, removeTree, writePrivate } from './files.ts';
import { readGrowth } from './growing-file.ts';
import { removeSocket } from './socket-file.ts';

export const systemFiles: Files = {
  exists,
  readText: readTextIfThere,
  stamp: fileStamp,
  names: namesIn,
  readGrowth,
  writePrivate,
  makeFolder: makeDirectory,
  remove: removeTree,
  removeSocket,
};
