// Reached only on a Node that is new enough: see llmc.cjs.
'use strict';

const { accessSync, constants, existsSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const dist = path.join(__dirname, '..', 'dist');
const program = path.join(dist, 'llmc.js');

// Node's default is a name under /tmp that anybody may have created first. Whoever can write beside the bundle owns the code anyway.
function cacheFolder() {
  try {
    accessSync(dist, constants.W_OK);
    return path.join(dist, '.cache');
  } catch {
    return undefined;
  }
}

if (existsSync(program)) {
  const folder = cacheFolder();
  if (folder !== undefined) enableCompileCache(folder);
  void import(pathToFileURL(program).href);
} else {
  process.stderr.write(`llmc: ${program} is missing: run npm run build\n`);
  process.exitCode = 1;
}
