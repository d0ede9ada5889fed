import type { CallName } from '../../protocol/api/paths.ts'

/** What each call does, for those who read the document. */
export const summaries: { readonly [Name in CallName]: string } = {
  getLiveness: 'Whether the process lives. The only call without a token.',
  getReadiness: 'Whether it takes work; 503 while it is ending.',
  getMetrics: 'Numbers for Prometheus.',
  getOpenApi: 'This document.',
  createTicket: 'An address that lets one browser in, once, within five minutes.',
  signOut:
    'Signs out every browser and ends all streams and WebSockets. Programs keep their token and can connect again.',
  listAgents:
    'The agents, whether they can run here, and what they can do. With `session`, its agent is looked for as that session has it run.',
  createSession: 'Begins a session. Without an agent or a folder it gets the default ones.',
  listSessions: 'Sessions, the newest first. `next` is the cursor of the next page.',
  watchSessions:
    'Sessions as they change, as server-sent events: first those at work, then each that changes.',
  getSession: 'A session, what waits in it, and why its words cannot be saved, if so.',
  changeSession: 'Renames, archives, restores, undeletes a session, or gives it to another agent.',
  deleteSession:
    'Deletes a session, which can be undone. Its agent is stopped first, also when the deletion cannot be saved.',
  getSnapshot: 'Everything a page needs to begin, as of one entry; follow the entries after `asOf`.',
  listMessages:
    'Messages of a thread, the oldest first, complete up to `asOf`. `next` is the `before` of the page before. With `as`, one document in the words of a provider, and what those have no place for.',
  listInteractions:
    'Interactions, the oldest first, with their messages and how much work was done in each. `next` is the `before` of the page before.',
  listWorkLog:
    'What was done, a line for each tool call, the oldest first. `tool` is a name or a kind (`run`, `edit`, `read` …), `thread=` the main conversation; `next` is the cursor of the page before. `seqs` lead to the entries, `raws` to the native lines.',
  listThinking:
    'When the agent thought in one interaction: each part of reasoning, from its first word to its last.',
  exportInteraction:
    'One interaction by itself as JSON lines: what it is, its messages, and its entries with their native words.',
  getContext:
    'What the model is sent and what was saved: the last request, or that of `step`. With `part`, its original words. Where no request was built here, what it would be (`source: "advisory"`). `next` is the cursor of the page before.',
  listManipulations:
    'The audit of what counts, the oldest first: changes, refusals, rollbacks. `tool` and `owner` are of who made them; `next` is the `before` of the page before.',
  manipulate:
    'Pins, unpins, archives, invalidates, restores, deletes or undeletes parts, a message or an interaction. All changes together, or none; a refusal is in the audit.',
  rollBack:
    'Takes manipulations back, with what followed from them: by name, of a tool, in an interaction, or all after an entry. Again, it does nothing; a rollback can be rolled back.',
  listEntries:
    'Entries after one, perhaps fewer than asked for. With `Accept: text/event-stream` also each new one as it is saved; `Last-Event-ID` beats `after`.',
  getRaw: 'The native line of an entry, byte for byte.',
  prompt: 'Starts an interaction, or queues it. Saved when it answers; the same `id` never runs twice.',
  withdrawPrompt: 'Takes a queued prompt back.',
  continueQueue: 'Lets queued prompts run that were held.',
  interrupt:
    'Stops the agent, also when nothing can be saved: then `saved` is false, and the end is saved later. Has no effect when nothing runs.',
  listApprovals: 'Questions of what runs, or all there ever were, and the rules that answer for a person.',
  listAllApprovals:
    'Approvals of all sessions that are not deleted, newest first. `status` is `pending` or `settled` (answered or lapsed); without it you get both. Each approval appears once: copies in branches are left out. `next` is the cursor of the next page. The call only reads: it opens no session.',
  answerApproval:
    'Answers a question. The first answer counts; a later one gets 409 with the winner. `always` makes a rule for exactly this input; where none can be made (`rule` is null), it gets 409.',
  revokeRule: 'Revokes a rule of a session.',
  listRules:
    'The rules of all sessions: what each covers, which approval it came from, and how often it answered.',
  revokeRuleAnywhere: 'Revokes a rule, whichever session it holds in.',
  branch: 'Begins a new session with the conversation up to a message; with `parts`, with other words.',
  merge:
    'Appends interactions of another session, with where they come from. Without `interactions`, all of its conversation that are not here yet.',
  chat: 'What the AI SDK’s chat transport sends; answers with a UI message stream.',
  getUsage:
    'What was used across sessions between two days or moments: cost, tokens, time, interactions, calls and failures, grouped by day, agent, model, folder or tool. Each message and each call counts once, where it was first told; copies in branches do not. `zone` is a name or minutes ahead of UTC.',
  resumeChat: 'The running interaction as a UI message stream, from its start; 204 when none runs.',
}

/** The types of what a call gives beside JSON of a known shape. */
export const otherTypes: { readonly [Name in CallName]?: readonly string[] } = {
  getMetrics: ['text/plain'],
  getOpenApi: ['application/json'],
  watchSessions: ['text/event-stream'],
  listEntries: ['text/event-stream'],
  getRaw: ['application/octet-stream'],
  exportInteraction: ['application/x-ndjson'],
  chat: ['text/event-stream'],
  resumeChat: ['text/event-stream'],
}
