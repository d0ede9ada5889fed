import type { About } from '../load-when-used.ts'

/** The facts about Codex. */
export const about = {
  name: 'codex',
  title: 'Codex',
  lines: 'codex app-server or codex exec --json',
  capabilities: {
    resume: true,
    fork: true,
    approvals: true,
    changedInput: false,
    denialReasons: false,
    images: true,
    interrupt: true,
    subagents: true,
  },
  elsewhere: { cannot: [] },
  questionTools: ['requestUserInput', 'elicitation'],
  context: 'next-boundary',
} as const satisfies About
