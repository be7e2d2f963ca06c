import { expect, test } from 'vitest';
import { z } from 'zod';
import { llmcWorld } from '../support/world.ts';

const SCENARIO = `
turns:
  - when: Half
    steps: [{ edit: { path: half.txt, content: "half\\n" } }, { say: I could not finish it. }]
  - when: And on CI
    steps: [{ edit: { path: probe.txt, content: "probe\\n" } }, { say: On CI it is cold too. }]
  - when: Why
    steps: [{ say: "# The cache\\n\\n- it is **cold** \\e[2J\\n- see \`npm ci\`" }]
`;

const review = z.object({
  kind: z.string(),
  answer: z.object({ text: z.string(), source: z.string(), cut: z.boolean(), task: z.number().nullable() }).nullable(),
  uncommitted: z.array(z.string()),
  diff: z.string(),
});
const seen = z.object({ status: z.string(), uncommitted: z.array(z.string()), diff: z.string() });

test('a question ends in an answer, which a person reads, asks more about and puts away; nothing is lost', async () => {
  await using world = await llmcWorld({ workers: ['adam', 'baker'], scenario: SCENARIO });
  const waited = await world.ok('start', 'adam', 'Why is it slow?', '--expect', 'answer', '--wait', '--timeout', '90s');
  expect(waited).toContain('adam has an answer:\n\n  # The cache\n');
  expect(waited).toContain('llmc dismiss adam   or   llmc message adam "…"');
  expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', attention_kind: 'answer', commit_sha: null });
  const status = await world.ok('status');
  expect(status).toContain('has an answer');
  expect(status).toMatch(/it says: # The cache/);
  const text = '# The cache\n\n- it is **cold** <U+001B>[2J\n- see `npm ci`';
  expect(await world.json(review, 'review', 'adam')).toMatchObject({ kind: 'answer', answer: { text, source: 'message', task: 1 } });
  expect(await world.refused(['accept', 'adam'])).toMatchObject({ hint: expect.stringContaining('llmc dismiss adam') });

  // The answer survives the end of the supervisor, and is not given a second time.
  await world.killSupervisor();
  await world.comeUp();
  const shown = await world.ok('review', '--next');
  expect(shown).toContain('adam: an answer\nTask: Why is it slow?\n');
  expect(shown).toContain('it is **cold** <U+001B>[2J');
  expect(shown).toContain('llmc dismiss adam   or   llmc message adam "…"');

  await world.ok('message', 'adam', 'And on CI?');
  await world.ok('wait', 'adam', '--for', 'needs_review', '--timeout', '90s');
  const more = await world.json(review, 'review', 'adam');
  expect(more).toMatchObject({ kind: 'answer', answer: { text: 'On CI it is cold too.', task: 1 }, uncommitted: ['probe.txt'] });
  expect(more.diff).toContain('+probe');
  expect(await world.json(seen, 'diff', 'adam')).toMatchObject({ status: 'needs_review', uncommitted: ['probe.txt'] });
  const said = await world.ok('dismiss', 'adam');
  expect(said).toMatch(/^adam is idle\. Its answer stays here: llmc queue show 1 .*saved: llmc rescue show adam\/\S+\n$/);
  expect(await world.ok('queue', 'show', '1')).toContain('On CI it is cold too.');
  expect(await world.worker('adam')).toMatchObject({ status: 'idle', current_prompt: null });

  await world.ok('start', '--queue', '--worker', 'adam', '--expect', 'answer', '--wait', '--timeout', '90s', '--prompt', 'Why again?');
  expect(await world.worker('adam')).toMatchObject({ status: 'needs_review', attention_kind: 'answer' });
  await world.ok('dismiss');

  await world.ok('start', 'baker', 'Half of it', '--wait', '--timeout', '90s');
  expect(await world.worker('baker')).toMatchObject({ status: 'needs_input', attention_kind: 'no_commit' });
  const unfinished = await world.ok('review', 'baker', '--stat');
  expect(unfinished).toContain('baker: its work is not finished, and cannot be accepted as it is');
  expect(unfinished).toContain('  I could not finish it.');
  expect(unfinished).toContain('Not committed: half.txt');
  expect(unfinished).toContain('llmc message baker "Commit your work"');
  expect(await world.ok('why', 'baker')).toContain('Its last message: I could not finish it.');
});
