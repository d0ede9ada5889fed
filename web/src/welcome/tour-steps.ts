import type { Place } from '../places.ts'

/** A way out of the card to what the step is about. */
export type TourDoor =
  | { readonly label: string; readonly place: 'replay' | 'dashboard' | 'approvals' }
  | { readonly label: string; readonly command: string }
  | { readonly label: string; readonly newTab: true }

/** One step of the tour. */
export interface TourStep {
  readonly title: string
  /** What to look at, and what to try. */
  readonly look: readonly string[]
  /** The prompts sent to the demo agent, in order. */
  readonly prompts?: readonly string[]
  readonly door?: TourDoor
}

/** The tour: each step shows one thing, the simple ones first. */
export const tourSteps: readonly TourStep[] = [
  {
    title: 'A demo of one minute',
    look: [
      'It is scripted: it needs no API key and changes no files, and its costs are simulated. It asks for one approval.',
    ],
  },
  {
    title: 'Streaming',
    prompts: ['Show me markdown'],
    look: [
      'Text, code, a table, math and a diagram appear while the agent writes them.',
      'The link and the picture point to another host. Click one: the app asks before it opens it.',
    ],
  },
  {
    title: 'Thinking',
    prompts: ['Show me thinking'],
    look: ['The agent’s thinking is collapsed and shows how long it took. Expand it to read it.'],
  },
  {
    title: 'Parallel tool calls',
    prompts: ['Show me tools'],
    look: [
      'Three tools run at once. Each card sums up one call. Open it to see input and output.',
      'One of them fails, and its card shows the error.',
    ],
  },
  {
    title: 'File changes',
    prompts: ['Show me edits'],
    look: ['An edit, a new file and a patch of three files. Open a card to see the diff.'],
  },
  {
    title: 'Commands',
    prompts: ['Run a command'],
    look: [
      'The first command draws a progress bar, the second prints in color, the third fails with exit code 1.',
    ],
  },
  {
    title: 'Searches',
    prompts: ['Do a search'],
    look: ['Search results, by file and line.'],
  },
  {
    title: 'An approval',
    prompts: ['Show me an approval'],
    look: [
      'The agent needs your approval to run a command. Allow it, deny it with a reason, or edit the command first.',
      '“Always allow” creates a rule for this session. You can revoke rules at any time.',
      'Once you answer here, the request disappears in every other tab and window.',
    ],
    door: { label: 'All approvals', place: 'approvals' },
  },
  {
    title: 'Approving an edit',
    prompts: ['Show me a change to approve'],
    look: [
      'Now the agent wants to edit one file and create another. You see every change before it happens.',
      'Deny one with a reason and allow the other. Each answer applies to one call.',
    ],
  },
  {
    title: 'A question',
    prompts: ['Ask me a question'],
    look: ['Agents can ask you questions. Choose an answer, or write your own.'],
  },
  {
    title: 'Subagents',
    prompts: ['Send a subagent'],
    look: [
      'The agent starts a subagent, which starts another. Each shows its messages, tools and cost. Expand or collapse them.',
    ],
  },
  {
    title: 'A plan',
    prompts: ['Show me todos'],
    look: ['The plan stays pinned above the conversation. Its items are checked off as the work progresses.'],
  },
  {
    title: 'An image',
    prompts: ['Show me an image'],
    look: ['Images from the agent appear in the conversation. Click one to enlarge it.'],
  },
  {
    title: 'Retracted messages',
    prompts: ['Show me a retraction'],
    look: ['The agent retracts a wrong message. It disappears here, but the journal keeps it.'],
  },
  {
    title: 'Compactions and warnings',
    prompts: ['Show me a compaction and a warning'],
    look: ['Lines in the conversation mark compactions and warnings.'],
  },
  {
    title: 'Stop',
    prompts: ['Give me a long answer'],
    look: [
      'Scroll up while it writes: the page stops following and shows “Jump to latest”.',
      'Reload the page: nothing is lost. Then press Stop.',
    ],
  },
  {
    title: 'A queue',
    prompts: ['Give me a long answer', 'Then show me thinking'],
    look: [
      'The second prompt is queued above the message box until the first is done. Edit or remove it.',
      'Send one more: it is queued too. If you are offline, prompts are saved here and sent later.',
    ],
  },
  {
    title: 'Attachments',
    look: [
      'Paste an image into the message box, drop a file on the page, or click the paper clip. Then send it.',
    ],
  },
  {
    title: 'Failure',
    prompts: ['Show me an error'],
    look: ['When a turn fails, you see why. Earlier messages stay, and you can continue.'],
  },
  {
    title: 'Raw output',
    look: [
      'Click “Raw” on any message to see the agent’s native lines next to the chunks made from them.',
      'Nothing is lost: everything on this page can be rebuilt from these lines.',
    ],
    door: { label: 'Open or close the inspector', command: 'panel-inspector' },
  },
  {
    title: 'The work log',
    look: ['Every tool call on one line: what it did, the result and how long it took.'],
    door: { label: 'Open or close the work log', command: 'panel-work-log' },
  },
  {
    title: 'Trimming the context',
    prompts: ['Show me reading twice'],
    look: [
      'The agent reads the same file three times. The Context panel shows what can be trimmed, why, and how much that saves.',
      'The demo has no model, so the panel only gives advice. With a model, the changes apply, and you can undo each one.',
      'Try it: archive or pin a turn there, find the change in the audit, and undo it.',
    ],
    door: { label: 'Open or close the context', command: 'panel-context' },
  },
  {
    title: 'Another agent',
    look: [
      'Under “Session actions” in the header you can move a session to another agent. It gets the conversation and continues.',
      'You can also rename, branch, export and archive a session there.',
    ],
    door: { label: 'Move to another agent', command: 'session-Move to another agent' },
  },
  {
    title: 'Replay',
    look: ['Replay the whole session at any speed, or drag to any moment. Then come back here.'],
    door: { label: 'Replay this session', place: 'replay' },
  },
  {
    title: 'The dashboard',
    look: ['Cost, tokens, time, tools and failures of all sessions, by day, agent, model and folder.'],
    door: { label: 'Dashboard', place: 'dashboard' },
  },
  {
    title: 'Two tabs',
    prompts: ['Give me a long answer'],
    look: ['Open this session in a second tab and put both side by side. They show exactly the same.'],
    door: { label: 'Open a second tab', newTab: true },
  },
  {
    title: 'Keyboard shortcuts',
    look: [
      'You can do everything with the keyboard. The command palette finds commands and sessions by a few letters.',
      'That was the tour. Start a session with one of your agents whenever you like.',
    ],
    door: { label: 'Show keyboard shortcuts', command: 'keys' },
  },
]

/** The page that a link of the tour opens, for a session. */
export const placeBehind = (place: 'replay' | 'dashboard' | 'approvals', session: string): Place =>
  place === 'replay' ? { page: 'replay', session } : { page: place }
