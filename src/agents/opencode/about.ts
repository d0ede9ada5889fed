import type { About } from '../load-when-used.ts'

/** The facts about OpenCode. */
export const about = {
  name: 'opencode',
  title: 'OpenCode',
  lines: 'opencode serve or opencode run --format json',
  capabilities: {
    resume: true,
    fork: true,
    approvals: true,
    changedInput: false,
    denialReasons: true,
    images: true,
    interrupt: true,
    subagents: true,
  },
  questionTools: ['question'],
  context: 'applied',
} as const satisfies About
