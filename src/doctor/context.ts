import { loadConfigInForce } from '../config/in-force.ts';
import { loadConfig } from '../config/load.ts';
import { newestSound } from '../store/copies.ts';
import { type Database, inspectDatabase, openReadOnly } from '../store/database.ts';
import { findCanary, readCanaries } from '../store/findings/canaries.ts';
import { readWrongPatterns } from '../store/findings/wrong-patterns.ts';
import { knownRuns } from '../store/known-runs.ts';
import { makeLayout, ownPaths } from '../store/layout.ts';
import { misplacedIn } from '../store/places.ts';
import { readStateFile } from '../store/state-file.ts';
import { stateSource } from '../store/state-record.ts';
import { lastHeartbeat } from '../store/tables/heartbeat.ts';
import { resolvingWorkers } from '../store/tables/resolutions.ts';
import { systemClock } from '../system/clock.ts';
import { accessTo } from '../system/files/access.ts';
import { freeBytes } from '../system/files/disk.ts';
import { isWritable } from '../system/files/files.ts';
import { readForeign, readOwnText } from '../system/files/foreign-file.ts';
import { systemFiles } from '../system/files/system-files.ts';
import { treeFiles } from '../system/files/tree-files.ts';
import { systemProcesses } from '../system/processes/processes.ts';
import type { DoctorContext } from './check.ts';

/** The real context: this machine and one root. */
export function doctorContext(
  root: string,
  llmc: string,
  agents: Pick<DoctorContext, 'defaultCommand' | 'adapterOf' | 'recordedVersions' | 'isSupervised' | 'silence' | 'workflows'>,
): DoctorContext {
  const layout = makeLayout(root);
  return {
    root,
    processes: systemProcesses,
    clock: systemClock,
    nodeVersion: process.versions.node,
    home: process.env.HOME,
    env: process.env,
    tmuxSocket: layout.tmuxSocket,
    ...agents,
    canaryOf: (key) => findCanary(readCanaries(layout.canaries), { ...key, llmc }),
    wrongPatterns: () => readWrongPatterns(layout.wrongPatterns),
    config: async () => (await loadConfigInForce(root)).config,
    loadConfig: () => loadConfig(root),
    readState: () => readStateFile(layout.state),
    stateSource: () => stateSource(layout),
    resolving: () => readRows(layout.database, resolvingWorkers),
    knownRuns: () => readRows(layout.database, (database) => knownRuns(database, layout, systemFiles)),
    lastHeartbeat: () => readRows(layout.database, lastHeartbeat),
    readDatabase: () => inspectDatabase(layout.database),
    databaseCopy: () => newestSound(layout.copies, systemFiles),
    misplaced: () => misplacedIn(layout),
    isWritable,
    ownPaths: () => ownPaths(layout),
    accessTo,
    exists: treeFiles.exists,
    readText,
    readNumber,
    freeBytes,
  };
}

/** The database check reports a database that cannot be read. */
function readRows<T>(path: string, rows: (database: Database) => T): T | undefined {
  try {
    using database = openReadOnly(path);
    return rows(database);
  } catch {
    return undefined;
  }
}

/** A user may keep settings behind a link. */
function readText(path: string): string | undefined {
  try {
    return readOwnText(path);
  } catch {
    return undefined;
  }
}

function readNumber(path: string): number | undefined {
  const text = readForeign(path, 100)?.trim() ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
