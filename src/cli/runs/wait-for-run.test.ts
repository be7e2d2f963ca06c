import { expect, test } from 'vitest';
import { runView } from '../../workflow/view/run-view.ts';
import { Told } from '../../workflow/view/told.fixture.ts';
import { reachedText } from './wait-for-run.ts';

test.each([
  ['Which port?', 'Which port? llmc decide swarm-1'],
  ['the port', 'the port. llmc decide swarm-1'],
])('a run that asks "%s" has one mark at the end of it', (question, end) => {
  const told = new Told().reply('research', { kind: 'started' }).reply('research', { kind: 'asked', question });
  const view = runView(told.run, [], told.at);
  expect(reachedText(view)).toBe(`swarm-1 waits for you: research: asks you (#1, blocked): ${end}`);
});
