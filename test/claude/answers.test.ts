import { describe, expect, test } from 'vitest';
import type { Step } from './api-steps.ts';
import { claudeWorld, program } from './llmc-world.ts';

const OVER: Step = { kind: 'text', text: 'Done.' };
const asked = (question: string, multiSelect: boolean, labels: readonly string[]) => ({
  question,
  header: question.slice(0, 8),
  multiSelect,
  options: labels.map((label) => ({ label, description: `Take ${label}` })),
});
const form = (...questions: readonly unknown[]): Step => ({ kind: 'tool', name: 'AskUserQuestion', input: { questions } });
const bash = (command: string): Step => ({ kind: 'tool', name: 'Bash', input: { command, description: 'Work' } });

const FEATURES = asked('Which features?', true, ['Auth', 'Cache', 'Logs']);
const COLOUR = asked('Which colour?', false, ['Blue', 'Green']);
const SIZE = asked('Which size?', false, ['Small', 'Large']);

describe.skipIf(program === undefined)('answers for the real Claude Code', () => {
  test('what was meant arrives: several choices by number and by label, two questions, a permission', async () => {
    await using world = await claudeWorld({ workers: ['adam'], skipPermissions: false, args: ['--permission-mode', 'manual'] });
    const said = () => JSON.stringify(world.requests('adam').at(-1)?.body.messages.at(-1));
    const asks = async (question: string) =>
      await world.until(`adam to ask ${question}`, async () => {
        const { status, asks: open } = await world.worker('adam');
        return status === 'needs_input' && open?.question === question && open.choices.length > 0;
      });
    const requests = async (count: number) => await world.until(`request ${count}`, () => world.requests('adam').length >= count);

    world.script('adam', form(FEATURES), form(FEATURES), form(COLOUR, SIZE), bash('touch made'), OVER);
    await world.ok('start', '--worker', 'adam', '--prompt', 'Ask me');
    await asks('Which features?');
    await world.ok('answer', 'adam', '2');
    await requests(2);
    expect(said()).toContain('Cache');
    expect(said()).not.toMatch(/Auth|Logs|declined/);

    await asks('Which features?');
    await world.ok('answer', 'adam', 'auth,3');
    await requests(3);
    expect(said()).toMatch(/Auth.*Logs/);
    expect(said()).not.toMatch(/Cache|declined/);

    await asks('Which colour?');
    expect(await world.ok('answer', 'adam', 'Green')).toContain('It now asks: Which size?');
    await asks('Which size?');
    expect((await world.worker('adam')).asks).toMatchObject({ question: 'Which size?', choices: ['Small', 'Large'] });
    await world.ok('answer', 'adam', '1');
    await requests(4);
    expect(said()).toMatch(/Green.*Small/);

    await asks('Do you want to proceed?');
    const { asks: permission, attention } = await world.worker('adam');
    expect(permission).toMatchObject({ tool: 'Bash', command: 'touch made', choices: expect.arrayContaining(['Yes', 'No']) });
    expect(attention).toContain('wants permission for Bash');
    await world.ok('answer', 'adam', '1');
    await requests(5);
    expect(said()).not.toContain('"is_error":true');
  });
});
