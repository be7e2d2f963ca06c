import { expect, test } from 'vitest';
import { parseWorkerName } from '../config/worker-name.ts';
import { LOCK_KEYS, launchKey } from './lock-keys.ts';

test.each([...Object.values(LOCK_KEYS), launchKey('codex')])(
  'no worker can be named "%s", so holding it and a worker at once never waits for itself',
  (key) => {
    expect(() => parseWorkerName(key)).toThrow(/not a usable worker name/);
  },
);
