/** How an unfinished interaction ended, and the reason that a person reads. */
export interface Ending {
  readonly outcome: 'failed' | 'interrupted'
  readonly reason: string
  /** Set when the agent refused the prompt, so it has done nothing yet. */
  readonly isRefusal?: true
}

/** A person stopped it. */
export const stoppedByPerson: Ending = {
  outcome: 'interrupted',
  reason: 'You stopped this.',
}

/** The agent reports that it stopped, without a request from here. */
export const stoppedByAgent: Ending = {
  outcome: 'interrupted',
  reason: 'Stopped by the agent.',
}

/** The server was shut down. */
export const stoppedWithServer: Ending = {
  outcome: 'interrupted',
  reason: 'Stopped because the server shut down.',
}

/** The server crashed or was killed. */
export const leftByServer: Ending = {
  outcome: 'interrupted',
  reason: 'The server stopped while this was running.',
}

/** The server crashed or was killed before the agent got a slot. */
export const leftUnbegun: Ending = {
  outcome: 'interrupted',
  reason: 'The server stopped before this could start. Send it again.',
}

/** The conversation continues from an earlier message than the agent's last. */
export const closedForReplacing: Ending = {
  outcome: 'interrupted',
  reason: 'Closed because the conversation continues from an earlier message.',
}

/** Another agent takes over. */
export const closedFor = (agent: string): Ending => ({
  outcome: 'interrupted',
  reason: `Closed because ${agent} takes over.`,
})

/** The agent starts again with other options. */
export const closedForOptions: Ending = {
  outcome: 'interrupted',
  reason: 'Closed because its options changed.',
}

/** Interactions of another session were added that the agent does not have. */
export const closedForMerge: Ending = {
  outcome: 'interrupted',
  reason: 'Closed because the conversation was merged with another.',
}

/** The agent's output could not be saved for this many milliseconds. */
export const unsaved = ({ message }: Error, milliseconds: number): Ending => ({
  outcome: 'failed',
  reason: `${message} The agent was stopped because saving failed for ${milliseconds / 1000} seconds.`,
})

/** Another node took over the session, because this one seemed dead. */
export const movedAway: Ending = {
  outcome: 'interrupted',
  reason: 'Stopped because another node took the session over.',
}
