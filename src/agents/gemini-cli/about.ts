import type { About } from '../load-when-used.ts'

/** The facts about Gemini CLI. */
export const about = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  lines: 'gemini --acp or gemini --output-format stream-json',
  capabilities: {
    resume: true,
    fork: false,
    approvals: true,
    changedInput: false,
    denialReasons: false,
    images: true,
    interrupt: true,
    subagents: false,
  },
  // The chat's files show when a chat may be resumed without being wiped.
  elsewhere: { cannot: ['resume'] },
  questionTools: ['AskUser'],
} as const satisfies About
