/** Why a prompt waits. The sender of a message is told at once, except while the agent merely starts. */
export const STARTING = 'the agent is still starting';
export const BUSY = 'the agent is busy';
