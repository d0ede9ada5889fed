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
  // When a chat may be picked up again without being wiped is told by its files.
  elsewhere: { cannot: ['resume'] },
  questionTools: ['AskUser'],
} as const satisfies About
