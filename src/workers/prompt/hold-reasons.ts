/** Why a prompt waits. The sender of a message is told at once, except while the agent merely starts. */
export const STARTING = 'the agent is still starting';
export const BUSY = 'the agent is busy';
export const NOT_RUNNING = 'the agent is not running';
export const isWorthTelling = (reason: string | null): boolean => reason !== STARTING;

const LIMIT = 'waiting for the usage limit of ';
export const untilReset = (account: string, time: string): string => `${LIMIT}${account} until ${time}`;
/** Also the turn of one worker after another, once it is over. */
export const untilItsTurn = (account: string): string => `${LIMIT}${account}, which is over: its workers go on one after the other`;
export const untilItContinues = (account: string): string => `${LIMIT}${account}: the agent goes on by itself`;
export const isLimitReason = (reason: string | null): boolean => reason?.startsWith(LIMIT) === true;
