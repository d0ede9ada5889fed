/** How an interaction ends that was not finished, and why, in words for people. */
export interface Ending {
  readonly outcome: 'failed' | 'interrupted'
  readonly reason: string
  /** Set when the agent refused the prompt, so that it has done nothing yet. */
  readonly isRefusal?: true
}

/** A person asked for it. */
export const stoppedByPerson: Ending = {
  outcome: 'interrupted',
  reason: 'You stopped this.',
}

/** The server was stopped in good order. */
export const stoppedWithServer: Ending = {
  outcome: 'interrupted',
  reason: 'Stopped because the server shut down.',
}

/** The server died, or was killed. */
export const leftByServer: Ending = {
  outcome: 'interrupted',
  reason: 'The server stopped while this was running.',
}

/** The server died, or was killed, before there was a place for the agent. */
export const leftUnbegun: Ending = {
  outcome: 'interrupted',
  reason: 'The server stopped before this could start. Send it again.',
}

/** The conversation goes on from an earlier message than the agent knows. */
export const closedForReplacing: Ending = {
  outcome: 'interrupted',
  reason: 'Closed because the conversation continues from an earlier message.',
}

/** Another agent takes over. */
export const closedFor = (agent: string): Ending => ({
  outcome: 'interrupted',
  reason: `Closed because ${agent} takes over.`,
})

/** Interactions of another session were put after what the agent knows. */
export const closedForMerge: Ending = {
  outcome: 'interrupted',
  reason: 'Closed because the conversation was merged with another.',
}

/** Nothing that the agent says can be saved, for as many milliseconds. */
export const unsaved = ({ message }: Error, milliseconds: number): Ending => ({
  outcome: 'failed',
  reason: `${message} The agent was stopped because saving failed for ${milliseconds / 1000} seconds.`,
})

/** Another node took the session over, because this one seemed dead. */
export const movedAway: Ending = {
  outcome: 'interrupted',
  reason: 'Stopped because another node took the session over.',
}
