import type { About } from '../load-when-used.ts'

/** The facts about Claude Code. */
export const about = {
  name: 'claude-code',
  title: 'Claude Code',
  lines: 'claude --output-format stream-json',
  capabilities: {
    resume: true,
    fork: true,
    approvals: true,
    changedInput: true,
    denialReasons: true,
    images: true,
    interrupt: true,
    subagents: true,
  },
  elsewhere: { cannot: [] },
  context: 'next-boundary',
} as const satisfies About
