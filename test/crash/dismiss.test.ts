import { expect, test } from 'vitest';
import { play, TASK } from './story.ts';
import { crashWorld, type Fault } from './world.ts';

const SCENARIO = `
turns:
  - when: is it slow
    steps: [{ edit: { path: probe.txt, content: "probe\\n" } }, { say: The cache is cold. }]
`;

test('an answer killed at each step of its dismissal: it is dismissed once, and its files are saved once', async ({ signal }) => {
  await using world = await crashWorld(['adam'], signal);
  play(world, SCENARIO);
  expect(await world.up()).toMatchObject({ status: 0 });
  await world.must(['start', '--expect', 'answer', '--prompt', 'Why is it slow?']);
  await world.reaches('adam', 'needs_review');
  const answers = () => world.rows('SELECT text, source, number, dismissed_ms IS NULL AS open, rescue FROM answers');
  const answer = { text: 'The cache is cold.', source: 'message', number: 1 };
  expect(answers()).toEqual([{ ...answer, open: 1, rescue: null }]);
  const rescues = () => world.repo.run(['for-each-ref', '--format=%(refname:lstrip=3)', 'refs/llmc/rescue'], world.layout.root);

  await world.must(['down']);
  const killedAt = (fault: Fault) => world.llmc(['dismiss', 'adam'], fault);
  expect((await killedAt('dismiss:before-save')).status).not.toBe(0);
  expect(await rescues()).toBe('');
  expect((await killedAt('dismiss:after-save')).status).not.toBe(0);
  const rescue = await rescues();
  expect(rescue).toMatch(/^adam\/\S+$/);
  expect(world.worker('adam')).toMatchObject({ status: 'offline', status_before_offline: 'needs_review' });
  expect((await killedAt('dismiss:after-commit')).status).not.toBe(0);
  expect(answers()).toEqual([{ ...answer, open: 0, rescue }]);
  expect(world.worker('adam')).toMatchObject({ status_before_offline: 'idle', answer: null });
  expect(await world.llmc(['dismiss', 'adam'])).toMatchObject({ status: 2, out: { error: { code: 'ILLEGAL_TRANSITION' } } });

  // The files that the kill left there are saved already, and the next task begins without them.
  expect(await world.up()).toMatchObject({ status: 0 });
  await world.must(['start', '--prompt', TASK]);
  await world.reaches('adam', 'needs_review');
  expect(await rescues()).toBe(rescue);
  expect(world.promptsTaken('adam')).toHaveLength(2);
  expect(await world.repo.run(['show', '--name-only', '--format=', 'llmc/adam'], world.layout.root)).toBe('llmc-demo/adam.md');
});
