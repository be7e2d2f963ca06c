import { afterEach } from 'vitest';
import { takeAccounts } from '../support/accounts.ts';

/** What the supervisors of a failed test recorded: its cause must be found in the log of a run on another machine. */
afterEach(({ task }) => {
  const told = takeAccounts(task.result?.state === 'fail');
  if (told !== '') console.error(told);
});
