import type { About } from '../load-when-used.ts'

/** The facts about any agent with the Agent Client Protocol (ACP). */
export const about = {
  name: 'acp',
  title: 'Your ACP agent',
  lines: 'an ACP agent',
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
  elsewhere: { cannot: [] },
  questionTools: ['AskUser'],
} as const satisfies About
