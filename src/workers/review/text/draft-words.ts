/** `2 draft comments`: what a person has written about work and not sent. */
export const countedDrafts = (count: number): string => `${count} draft ${count === 1 ? 'comment' : 'comments'}`;
