import type { CallName } from '../../protocol/api/paths.ts'

/** What each call does, for those who read the document. */
export const summaries: { readonly [Name in CallName]: string } = {
  getLiveness: 'Whether the process lives. The only call without a token.',
  getReadiness: 'Whether it takes work; 503 while it is ending.',
  getMetrics: 'Numbers for Prometheus.',
  getOpenApi: 'This document.',
  createTicket: 'An address that lets one browser in, once, within five minutes.',
  listAgents: 'The agents, whether they can run here, and what they can do.',
  createSession: 'Begins a session. Without an agent or a folder it gets the default ones.',
  listSessions: 'Sessions, the newest first. `next` is the cursor of the next page.',
  watchSessions:
    'Sessions as they change, as server-sent events: first those at work, then each that changes.',
  getSession: 'A session, what waits in it, and why its words cannot be saved, if so.',
  changeSession: 'Renames, archives, restores, undeletes a session, or gives it to another agent.',
  deleteSession: 'Deletes a session, so that it can be undeleted. What runs in it is interrupted.',
  getSnapshot: 'Everything a page needs to begin, as of one entry; follow the entries after `asOf`.',
  listMessages:
    'Messages of a thread, the oldest first, complete up to `asOf`. `next` is the `before` of the page before.',
  listEntries:
    'Entries after one, perhaps fewer than asked for. With `Accept: text/event-stream` also each new one as it is saved; `Last-Event-ID` beats `after`.',
  getRaw: 'The native line of an entry, byte for byte.',
  prompt: 'Starts an interaction, or queues it. Saved when it answers; the same `id` never runs twice.',
  withdrawPrompt: 'Takes a queued prompt back.',
  continueQueue: 'Lets queued prompts run that were held.',
  interrupt: 'Stops what runs. Without effect when nothing does.',
  listApprovals: 'Questions of what runs, or all there ever were, and the rules that answer for a person.',
  answerApproval: 'Answers a question. The first answer counts; a later one gets 409 with the winner.',
  revokeRule: 'Takes back what was always allowed.',
  branch: 'Begins a new session with the conversation up to a message; with `parts`, with other words.',
  chat: 'What the AI SDK’s chat transport sends; answers with a UI message stream.',
  resumeChat: 'The running interaction as a UI message stream, from its start; 204 when none runs.',
}

/** The types of what a call gives beside JSON of a known shape. */
export const otherTypes: { readonly [Name in CallName]?: readonly string[] } = {
  getMetrics: ['text/plain'],
  getOpenApi: ['application/json'],
  watchSessions: ['text/event-stream'],
  listEntries: ['text/event-stream'],
  getRaw: ['application/octet-stream'],
  chat: ['text/event-stream'],
  resumeChat: ['text/event-stream'],
}
