import type { Mutant } from './mutant.ts'

/** Defects in the translation of an agent’s lines. */
export const translationMutants: readonly Mutant[] = [
  {
    id: 'M20',
    file: 'src/agents/opencode/parts.ts',
    from: "  if (role === 'copy') return [here, []]\n",
    to: '',
    wrong: 'Copied parts are shown again.',
    tests: ['src/agents/opencode/translate.test.ts'],
  },
  {
    id: 'T01',
    file: 'src/agents/codex/words.ts',
    from: '  const native = getIn(state.threads, threadId)\n  if (native?.running !== true) return [state, []]\n  const known',
    to: '  const native = nativeThread(state, threadId)\n  const known',
    wrong: 'Deltas outside of a turn are shown twice.',
    tests: ['src/agents/codex/translate.test.ts', 'src/agents/codex/disorder.property.test.ts'],
  },
  {
    id: 'T02',
    file: 'src/agents/codex/calls.ts',
    from: 'const isOthers = known !== undefined && known.thread !== nativeThread(state, threadId).thread',
    to: 'const isOthers = false',
    wrong: 'Two threads with calls of one name share a call.',
    tests: ['src/agents/codex/subagents.test.ts', 'src/agents/codex/calls.test.ts'],
  },
  {
    id: 'T03',
    file: 'src/agents/claude-code/result.ts',
    from: "  if (why?.startsWith('aborted_') === true) return { reason: 'interrupted' }\n",
    to: '',
    wrong: 'A turn that was stopped counts as finished.',
    tests: ['src/agents/claude-code/answers.test.ts'],
  },
  {
    id: 'T04',
    file: 'src/agents/claude-code/result.ts',
    from: '  if (!isNew && ended === (uuid ?? raw.text)) return\n',
    to: '',
    wrong: 'A repeated result ends the next turn.',
    tests: ['src/agents/claude-code/answers.test.ts'],
  },
  {
    id: 'T05',
    file: 'src/agents/acp/translation/endings.ts',
    from: "  if (stopReason === 'cancelled') return { reason: 'interrupted' }\n",
    to: '',
    wrong: 'A cancelled answer counts as finished.',
    tests: ['src/agents/acp/calls.test.ts'],
  },
  {
    id: 'T06',
    file: 'src/agents/opencode/parts.ts',
    from: "    if (id !== '' && getIn(state.pieces, id)) return [state, []]\n",
    to: '',
    wrong: 'A part that is reported twice counts twice.',
    tests: [
      'src/agents/opencode/translate.test.ts',
      'src/agents/opencode/disorder.property.test.ts',
      'src/agents/opencode/reload.test.ts',
    ],
  },
]
