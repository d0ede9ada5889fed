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
  /** What is asked of the demo for it, one prompt after the other. */
  readonly prompts?: readonly string[]
  readonly door?: TourDoor
}

/** The tour: each step shows one thing, the simple ones first. */
export const tourSteps: readonly TourStep[] = [
  {
    title: 'A session',
    look: [
      'You talk with an agent that is only a script: it needs no key, and touches no file. The costs that it tells are made up; nothing is paid.',
      'Each step sends it a prompt and says what to look at. You can also write to it yourself at any time.',
    ],
  },
  {
    title: 'Words while they are said',
    prompts: ['Show me markdown'],
    look: [
      'Text, code, a table, maths and a diagram appear while they are being said.',
      'The link and the picture lead to another host. Press them: you are asked first.',
    ],
  },
  {
    title: 'Thinking',
    prompts: ['Show me thinking'],
    look: ['What the agent thinks is folded, with how long it took. Unfold it to read it.'],
  },
  {
    title: 'Tools, side by side',
    prompts: ['Show me tools'],
    look: [
      'Three tools run at once. Each card says in one line what happened; open it for input and output.',
      'One of them fails, and says so plainly.',
    ],
  },
  {
    title: 'Changes to files',
    prompts: ['Show me edits'],
    look: ['A change, a new file and a patch of three files. Open a card to see the lines that differ.'],
  },
  {
    title: 'Commands',
    prompts: ['Run a command'],
    look: [
      'The first command draws a bar while it runs, the second prints in colours, the third fails with exit code 1.',
    ],
  },
  {
    title: 'Searches',
    prompts: ['Do a search'],
    look: ['What was found, by file and line.'],
  },
  {
    title: 'An approval',
    prompts: ['Show me an approval'],
    look: [
      'The agent wants to run a command, and waits for you. Allow it, deny it with a reason, or change the command first.',
      '“Always” makes a rule for this session. Rules are listed, and can be taken back.',
      'In another tab or window the question goes away as soon as it is answered here.',
    ],
    door: { label: 'All approvals', place: 'approvals' },
  },
  {
    title: 'A change that waits for you',
    prompts: ['Show me a change to approve'],
    look: [
      'This time the agent wants to change a file, and then to write one. All of it is shown before anything is done.',
      'Deny one with a reason, and allow the other: each answer is for its own call.',
    ],
  },
  {
    title: 'A question',
    prompts: ['Ask me a question'],
    look: ['Sometimes an agent wants to know something. Choose an answer, or write your own.'],
  },
  {
    title: 'Subagents',
    prompts: ['Send a subagent'],
    look: [
      'One agent sends another, which sends a third. Each has its own words, tools and cost; fold and unfold them.',
    ],
  },
  {
    title: 'A plan',
    prompts: ['Show me todos'],
    look: ['The plan stays pinned above the conversation, and is ticked off as the work goes on.'],
  },
  {
    title: 'A picture',
    prompts: ['Show me an image'],
    look: ['Pictures of the agent are shown where they were made. Press one to see it large.'],
  },
  {
    title: 'Words taken back',
    prompts: ['Show me a retraction'],
    look: [
      'The agent says something wrong, and takes it back. What is taken back is gone; the journal still has it.',
    ],
  },
  {
    title: 'Marks along the way',
    prompts: ['Show me a compaction and a warning'],
    look: [
      'Where a conversation was summed up, and trouble that did not end the answer, are marked in a line.',
    ],
  },
  {
    title: 'Stop',
    prompts: ['Give me a long answer'],
    look: [
      'Scroll up while it grows: the page lets go, and offers the way back down.',
      'Reload the page: nothing is lost. Then press Stop.',
    ],
  },
  {
    title: 'A queue',
    prompts: ['Give me a long answer', 'Then show me thinking'],
    look: [
      'The second prompt waits above the message box until the first is answered. Change it or take it back.',
      'Write one more: it waits, too. Without a network they are kept here, and sent later.',
    ],
  },
  {
    title: 'Attachments',
    look: [
      'Paste a picture into the message box, drop a file on the page, or press the paper clip; then send it.',
    ],
  },
  {
    title: 'Failure',
    prompts: ['Show me an error'],
    look: ['An answer that fails says why. What was said before stays, and you can go on.'],
  },
  {
    title: 'Raw words',
    look: [
      'Press “Raw” on any message: the agent’s own words and what became of them, side by side.',
      'Nothing is lost on the way: what a page shows can be made again from these words.',
    ],
    door: { label: 'Open or close the inspector', command: 'panel-inspector' },
  },
  {
    title: 'The work log',
    look: ['Every tool call in one line: what was done to what, how it went and how long it took.'],
    door: { label: 'Open or close the work log', command: 'panel-work-log' },
  },
  {
    title: 'What a model need not be sent again',
    prompts: ['Show me reading twice'],
    look: [
      'The agent reads the same file three times. The context shows what need not be sent again, why, and what that saves.',
      'A script has no model, so here it is advice; with a model it counts, and each change can be rolled back.',
      'Try it: archive or pin an interaction there, find that in the audit, and take it back.',
    ],
    door: { label: 'Open or close the context', command: 'panel-context' },
  },
  {
    title: 'Another agent',
    look: [
      'Under “Session actions” in the header you can move a session to another agent: it is told the conversation, and goes on.',
      'There you also rename, branch, export and archive a session.',
    ],
    door: { label: 'Move to another agent', command: 'session-Move to another agent' },
  },
  {
    title: 'Replay',
    look: [
      'Play the whole session again from the journal, at any speed, or drag to any moment. Then come back here.',
    ],
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
    look: [
      'Open the same session in a second tab, and put them side by side: both show the same, word for word.',
    ],
    door: { label: 'Open a second tab', newTab: true },
  },
  {
    title: 'Keys',
    look: [
      'Everything can be done by keys. The sheet shows them; the palette finds commands and sessions by a few letters.',
      'That was the tour. Begin a session with an agent of yours whenever you like.',
    ],
    door: { label: 'Show all keys', command: 'keys' },
  },
]

/** Where a door leads from a session. */
export const placeBehind = (place: 'replay' | 'dashboard' | 'approvals', session: string): Place =>
  place === 'replay' ? { page: 'replay', session } : { page: place }
