import { describe, expect, test } from 'vitest';
import { aReport, aWorkerReport, Played, toReview } from '../samples.ts';

const working = (name: string) => aWorkerReport(name, { status: 'working', current_prompt: 'Something long' });

describe('attach', () => {
  const commented = () => new Played([toReview('adam'), toReview('ben')]).seesWork().press('right', 'J', 'c').type('Why?').press('enter');

  test.each<[string, () => Played]>([
    ['a rejection with comments', () => commented().press('r', 'enter')],
    ['a rejection in words', () => new Played([toReview('adam'), toReview('ben')]).seesWork().press('r').type('No.').press('enter')],
    ['an accept', () => new Played([toReview('adam'), toReview('ben')]).seesWork().press('a')],
    ['the start', () => new Played([toReview('ben')])],
    ['the end of the selected worker', () => new Played([working('adam')]).on({ kind: 'status', report: aReport([toReview('ben')]) })],
  ])('enter right after %s does not attach to a worker that nobody chose', (_, act) => {
    const played = act();
    expect(played.press('enter').asked).not.toContain('attach');
    expect(played.view.notice?.text).toBe('ben was not on the screen yet when you pressed enter.');
    played.on({ kind: 'pane', of: 'worker:ben', tab: 'diff', content: { kind: 'loading' } }).on({ kind: 'shown' });
    played.now += 400;
    expect(played.press('enter').asked).not.toContain('attach');
    expect(played.seesWork('222', 50).press('enter').asked).not.toContain('attach');
    played.now += 250;
    expect(played.press('enter').effects.at(-1)).toEqual({ kind: 'attach', worker: 'ben' });
  });

  test('newer work of a worker that was read does not refuse the key', () => {
    const played = new Played([toReview('adam')]).seesWork('111').seesWork('222', 0, { diff: 'another' });
    expect(played.press('enter').asked).toEqual(['attach']);
  });

  test('a small terminal without a pane: the list is what is read', () => {
    const played = new Played([working('adam')], { columns: 40, rows: 10 }).on({ kind: 'shown' });
    expect(played.press('enter').asked).toEqual([]);
    played.now += 250;
    expect(played.press('enter').asked).toEqual(['attach']);
  });

  test('a worker that a person selects is attached to at once', () => {
    expect(new Played([working('adam'), working('ben')]).press('j', 'enter').effects).toEqual([{ kind: 'attach', worker: 'ben' }]);
  });

  test('the comments of the next work are not sent by a second r', () => {
    const played = commented()
      .press('left', 'j')
      .seesWork()
      .press('right', 'J', 'c')
      .type('Here too')
      .press('enter', 'left', 'k')
      .seesWork();
    expect(played.press('r', 'enter', 'r').asked).toEqual(['reject']);
    expect(played.view).toMatchObject({ selected: 'worker:ben', notice: { text: 'The work of ben was not on the screen yet.' } });
    expect(played.seesWork().press('r', 'enter').asked).toEqual(['reject', 'reject']);
  });
});
