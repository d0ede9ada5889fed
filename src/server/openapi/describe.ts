import type { CallName } from '../../protocol/api/paths.ts'

/** What each call does, for the OpenAPI document. */
export const summaries: { readonly [Name in CallName]: string } = {
  getLiveness: 'Liveness check. The only call that needs no token.',
  getReadiness: 'Readiness check. Returns 503 while the server shuts down.',
  getMetrics: 'Metrics for Prometheus.',
  getOpenApi: 'This document.',
  createTicket: 'Creates a one-time sign-in link, valid for 5 minutes.',
  signOut:
    'Signs out every browser and ends all streams and WebSockets. Programs keep their token and can connect again.',
  listAgents:
    'Lists the agents, whether they can run here, their capabilities, and their options as a JSON schema. With `session`, uses the settings of that session.',
  listFolders:
    'Lists the folders in a folder that sessions may work in. Without `path`, only the default folder and the roots. Hidden folders and the data folder are left out.',
  getSettings: 'Gets the settings for new sessions, and those that were set when the server was started.',
  changeSettings:
    'Changes the default agent, the options of new sessions and the context profile. Null returns to the default. Refused for a setting that was set when the server was started.',
  createSession: 'Creates a session. Without an agent or a folder, it gets the defaults.',
  listSessions: 'Lists sessions, newest first. `next` is the cursor of the next page.',
  watchSessions:
    'Streams sessions as server-sent events: first those that are running, then each one that changes.',
  getSession: 'Gets a session, its pending approvals and queued prompts, and why saving fails, if it does.',
  changeSession:
    'Renames, archives, restores or undeletes a session, assigns it to another agent, or changes options of its agent. `options` alone changes only the given ones; null removes one.',
  deleteSession:
    'Deletes a session; you can undo this. The agent is stopped first, even if the deletion cannot be saved.',
  getSnapshot: 'Gets everything a page needs to start. Then follow the entries after `asOf`.',
  listMessages:
    'Lists the messages of a thread, oldest first, complete up to `asOf`. Pass `next` as `before` to get the previous page. With `as`, returns one document in the format of a provider, and lists what that format cannot express.',
  listInteractions:
    'Lists interactions, oldest first, with their messages and a summary of their work. Pass `next` as `before` to get the previous page.',
  listWorkLog:
    'Lists the work log, one line per tool call, oldest first. `tool` is a name or a kind (`run`, `edit`, `read` …). An empty `thread` selects the main conversation. The first page has the newest calls; pass `next` as `cursor` to get earlier ones. `seqs` refer to entries, `raws` to native lines.',
  listThinking:
    'Lists when the agent was thinking in an interaction: the start and end of each reasoning part.',
  exportInteraction:
    'Exports one interaction as JSON lines: a header, its messages, and its entries with their native messages.',
  getContext:
    'Shows what is sent to the model and the tokens saved, for the last request or the one in `step`. With `part`, returns the original text of that part. If the agent builds its own requests, this is a preview (`source: "advisory"`). The first page has the newest parts; pass `next` as `cursor` to get earlier ones.',
  listManipulations:
    'Lists context changes, oldest first: applied, refused and undone. `tool` and `owner` filter by who made them. Pass `next` as `before` to get the previous page.',
  manipulate:
    'Pins, unpins, archives, invalidates, restores, deletes or undeletes parts, a message or an interaction. Applies all changes or none. Refused changes are listed, too.',
  rollBack:
    'Undoes context changes and those that depend on them: by ID, by tool, by interaction, or all after an entry. Repeating the call has no effect. You can redo it by undoing the rollback.',
  listEntries:
    'Lists entries after a number; a page may have fewer than `limit`. With `Accept: text/event-stream`, also streams new entries as they are saved. `Last-Event-ID` takes precedence over `after`.',
  getRaw: 'Gets the native line of an entry, byte for byte.',
  prompt:
    'Starts an interaction, or queues it. The prompt is saved when the call returns. The same `id` never runs twice.',
  withdrawPrompt: 'Cancels a queued prompt.',
  continueQueue: 'Resumes queued prompts that were paused.',
  interrupt:
    'Stops the agent, even when saving fails: then `saved` is false, and the stop is saved later. Has no effect when nothing is running.',
  listApprovals: 'Lists pending approvals, or all approvals, and the rules that answer them automatically.',
  listAllApprovals:
    'Lists the approvals of all sessions that are not deleted, newest first. `status` is `pending` or `settled` (answered or expired); without it you get both. Each approval appears once: copies in branches are left out. `next` is the cursor of the next page. This call only reads; it does not open sessions.',
  answerApproval:
    'Answers an approval. The first answer wins; a later one gets 409 with the winner. `always` creates a rule for exactly this input. If no rule can be created (`rule` is null), an answer with `always` gets 409.',
  revokeRule: 'Revokes a rule of a session.',
  listRules:
    'Lists the rules of all sessions: what each covers, the approval that created it, and how often it was used.',
  revokeRuleAnywhere: 'Revokes a rule of any session.',
  branch: 'Creates a session with the conversation up to a message. With `parts`, replaces that message.',
  merge:
    'Merges interactions from another session and records their origin. Without `interactions`, merges all that are missing here.',
  chat: 'Accepts the request of the AI SDK’s chat transport and returns a UI message stream.',
  getUsage:
    'Reports usage across sessions between two days or times: cost, tokens, time, waits, lines, interactions, calls and failures. Groups: day, hour, five-hour block, agent, model, folder, branch, session, interaction, tool, file and reason of failure. `costs` has reported and estimated costs separately. With `top`, returns only the most expensive rows. Each message and call counts once; copies in branches are left out. `zone` is a name or minutes ahead of UTC.',
  listImports:
    'Lists the sessions that agents saved on this machine, by agent: how many, their size in bytes, when the oldest and the newest changed last, and how many are sessions here already. Also lists the running import, and the latest ones.',
  startImport:
    'Imports sessions that agents saved on this machine, in the background, newest first. Without `agents`, those of every agent; without `path`, those in their usual folders. Sessions that were imported before get only their new lines.',
  getImport:
    'Gets an import and, after the number in `after`, up to 1,000 notes: each transcript, skipped line and unreadable file.',
  changeImports:
    'Turns following on or off: whether new transcripts, and new lines in known ones, become sessions while agents write them. The setting `followTranscripts` takes precedence.',
  changeImport: 'Pauses an import after the transcript that it reads, or continues it.',
  stopImport: 'Stops an import after the transcript that it reads. Importing again continues there.',
  search:
    'Searches prompts, answers, thinking, tool inputs, tool outputs and titles of all sessions, newest first. `q` has words (all of them must be found; the last one may be the beginning of a word), `"exact text"`, `/regular expressions/` and filters such as `tool:Bash`, `after:2026-11-01` or `cost>1.50`. `behind` is the number of entries that are not indexed yet. Pass `next` as `cursor` to get the next page.',
  resumeChat:
    'Streams the running interaction from its start as a UI message stream. Returns 204 when nothing is running.',
}

/** The content types of calls that return something else than JSON. */
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
