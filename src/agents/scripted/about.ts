import type { About } from '../load-when-used.ts'

/** The facts about the scripted agent. */
export const about = {
  name: 'scripted',
  title: 'Scripted agent',
  isDemo: true,
  capabilities: {
    resume: true,
    fork: false,
    approvals: true,
    changedInput: true,
    denialReasons: true,
    images: true,
    interrupt: true,
    subagents: true,
  },
  elsewhere: { cannot: [] },
} as const satisfies About
