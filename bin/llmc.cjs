#!/usr/bin/env node
// ES5 and no import before the check: an old Node must reach the sentence below, not die on syntax it cannot read.
'use strict';

var NEEDED = '24.15.0';
// Set for the second start only: a local Node that is itself too old must end in the sentence, not in a circle.
var MARK = 'LLMC_RESTARTED';

function isOldNode(version) {
  var found = version.split('.');
  var needed = NEEDED.split('.');
  for (var i = 0; i < needed.length; i += 1) {
    var difference = parseInt(found[i], 10) - parseInt(needed[i], 10);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

// The npm package `node` puts a Node of its own under node_modules, beside this package or in a folder above it.
function findOwnNode(start) {
  var fs = require('fs');
  var path = require('path');
  for (var folder = start; ; folder = path.dirname(folder)) {
    var candidate = path.join(folder, 'node_modules', 'node', 'bin', 'node');
    if (fs.existsSync(candidate)) return candidate;
    if (folder === path.dirname(folder)) return undefined;
  }
}

function refuse(why) {
  process.stderr.write('llmc: ' + why + '; it needs Node ' + NEEDED + ' or newer: install one from https://nodejs.org and try again\n');
  process.exit(78);
}

// Not spawnSync: while that blocks, a SIGTERM sent to this process alone would never reach the real one.
function restartWith(node) {
  // A terminal sends Ctrl-C and Ctrl-\ to both processes; passed on as well, one key would count as two.
  var onTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  var passedOn = { SIGINT: !onTerminal, SIGQUIT: !onTerminal, SIGTERM: true, SIGHUP: true };
  Object.keys(passedOn).forEach(function (signal) {
    process.on(signal, function () {
      if (passedOn[signal]) child.kill(signal);
    });
  });
  process.env[MARK] = '1';
  var child = require('child_process').spawn(node, [__filename].concat(process.argv.slice(2)), { stdio: 'inherit' });
  child.on('error', function (error) {
    refuse(node + ' does not start (' + error.message + ')');
  });
  child.on('exit', function (status, signal) {
    if (signal === null) process.exit(status);
    // The same death as the child's, so that a calling shell sees it and stops its own loop on Ctrl-C.
    process.exitCode = 1;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function start() {
  if (!isOldNode(process.versions.node)) {
    delete process.env[MARK];
    require('./start.cjs');
    return;
  }
  var ownNode = process.env[MARK] ? undefined : findOwnNode(__dirname);
  if (ownNode) restartWith(ownNode);
  else refuse('this is Node ' + process.versions.node);
}

if (require.main === module) start();
else module.exports = { NEEDED: NEEDED, isOldNode: isOldNode, findOwnNode: findOwnNode };
