/** Where llmc does not follow the design it came from, and what was measured. */
export const DIFFERENCES = `## Differences from the design

These tables began as decision trees on paper. llmc differs from those where a measurement says so (Claude Code 2.1.325, Codex 0.166, tmux 3.3a).

| the design | llmc | because |
|---|---|---|
| lost input: send the text again after two seconds | the same waits (2, 5 and 10 s), and looks for the report, the transcript and the screen first | with a bracketed paste and a separate Enter, 600 of 600 prompts arrived; a second paste doubled them |
| lost input over a protocol: the same waits | asks the agent for its record after 2 s, and sends again as soon as the record does not have the prompt | the record is a proof; waiting longer proves no more |
| a shell in the pane means a crash | tmux keeps the dead pane with status and signal | the agent is the process of the pane, so no shell follows it |
| the words "429", "FATAL" or "Goodbye" in the last screen classify a crash | only whole error lines, and refusals only before the agent was ready | replies mention these words; Claude Code prints no "Goodbye", and a refused resume ends with status 1 |
| a panic is fatal at once | a crash like any other, within the same budget | the next start of a resumed conversation usually works |
| a rate limit in the last screen: wait five minutes, not counted | the same wait, and it counts as a crash | a text can be wrong, and a wrong one must not restart an agent for ever |
| after a crash: \`/clear\`, then the whole prompt again | the conversation is resumed and told to continue | \`--resume\` restored the conversation after \`kill -9\`, including a prompt without an answer |
| a user who exits resets the worker to idle | its agent starts again without a prompt, the task stays | commits and changes would be lost to the eye |
| stuck: 30 minutes since the task began | 30 minutes without any sign of progress | tasks of hours are normal, and a silent build uses the processor |
| the nudge is typed into the running turn | the turn is interrupted first | while an agent is busy, its input is queued: a stalled stream never reads it |
| an error state gets a nudge at once | waits of 1 to 30 minutes, six attempts | the CLI has retried for about three minutes by then (184 s with its ten retries) |
| orphaned sessions: mark the workers offline, then make each one idle | a worker keeps its status, and its conversation is resumed | after a reboot all sessions are gone, and idle workers would have lost their tasks |
| an agent that runs is initialised again | it is observed as it is, unless it is that of an earlier start | agents live on in tmux when the supervisor is killed, and work meanwhile |
| patrol: a missing session marks the worker offline | the agent is started again within seconds, within the budget of crashes | a session that is gone is a crash without a status |
| a broken state without a backup: begin a new one | refuses to start; \`llmc doctor --rebuild\` asks first | a new state forgets workers whose branches have work |
| an inconsistent state that cannot be repaired: error | the worker moves to \`needs_input\` | the other workers are sound |
| rebuild: every worker with a session is idle | work that main does not have waits for a review | an idle worker is reset at its next task |
| no answer after 45 minutes: error (tree) or needs_input (table) | needs_input | a person has to decide, nothing is broken |
`;
