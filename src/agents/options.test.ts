import { describe, expect, it } from 'vitest'
import { isDragomanError } from '../protocol/error.ts'
import { agents } from './index.ts'

/** An invalid option of each agent, and the error about it. */
const wrong = {
  scripted: [{ pace: 'slow' }, 'the option "pace" must be'],
  'claude-code': [{ permissionMode: 'everything' }, 'the option "permissionMode" must be one of "default"'],
  codex: [{ model: 5 }, 'the option "model" must be a string'],
  opencode: [{ model: 'alone' }, 'the option "model" is not valid: write it as "provider/model"'],
  'gemini-cli': [{ model: 5 }, 'For Gemini CLI, the option "model" must be a string'],
  acp: [null, 'Set its command in the option "command"'],
  model: [{ api: 5 }, '"api" must be'],
} as const

describe('invalid options of an agent', () => {
  it('are tested for each agent', () => {
    expect(Object.keys(wrong).toSorted()).toEqual(agents.map(({ name }) => name).toSorted())
  })

  it.for(agents)('[R2] are refused with a sentence before anything starts: $name', async agent => {
    const [options, sentence] = wrong[agent.name as keyof typeof wrong]
    const error = await agent.check?.({ cwd: '/', dataFolder: '/nowhere', options }).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(isDragomanError(error, 'invalid-input')).toBe(true)
    expect((error as Error).message).toContain(sentence)
  })
})
