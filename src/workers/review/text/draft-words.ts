/** `2 draft comments`: what a person has written about work and not sent. */
export const countedDrafts = (count: number): string => `${count} draft ${count === 1 ? 'comment' : 'comments'}`;

/** A line about drafts that were changed while an earlier text of them was sent. */
export const changedDrafts = (count: number): readonly string[] =>
  count === 0 ? [] : [`${countedDrafts(count)} changed while the text before was sent: the newer text was not sent, and stays.`];
