import type { About } from '../load-when-used.ts'

/** The facts about any agent that speaks the Agent Client Protocol. */
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
