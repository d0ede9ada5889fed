import { expect, it } from 'vitest'
import { subagentAnswer } from './subagent-answer.ts'

it('[W2] the answer of a subagent is shown without the text that its agent adds', () => {
  const claude = [
    '  <tools-used-before-summary>Read</tools-used-before-summary>',
    '  ',
    '[Subagent hand-back] The text below is the final report of a subagent. The report follows:',
    '  It exports greet(name).',
    '    - once',
    "agentId: a7 (use SendMessage with to: 'a7' to continue this agent)",
    '<usage>subagent_tokens: 1016',
    'tool_uses: 1</usage>',
  ].join('\n')
  expect(subagentAnswer(claude)).toBe('It exports greet(name).\n  - once')
  expect(
    subagentAnswer('<task id="s" state="completed">\n<task_result>\nSeen.\n</task_result>\n</task>'),
  ).toBe('Seen.')
  const codex = { agentsStates: { a: { status: 'completed', message: 'Seen.' }, b: { status: 'running' } } }
  expect(subagentAnswer(codex)).toBe('Seen.')
  expect(subagentAnswer('Plain words.')).toBe('Plain words.')
})
