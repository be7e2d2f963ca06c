import { describe } from 'vitest';
import { openDatabase } from '../../store/database.ts';
import { SqliteCheckpoints } from '../checkpoint/sqlite-checkpoints.ts';
import { portsConformance } from './conformance.fixture.ts';
import { SqliteQueue } from './sqlite-queue.ts';
import { SqliteRuns } from './sqlite-runs.ts';

describe('SQLite', () => {
  portsConformance(() => {
    const database = openDatabase(':memory:');
    return { runs: new SqliteRuns(database), queue: new SqliteQueue(database), checkpoints: new SqliteCheckpoints(database) };
  });
});
