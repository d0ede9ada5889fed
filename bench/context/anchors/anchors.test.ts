import { describe, expect, it } from 'vitest'
import type { Policy } from '../policy.ts'
import { readSession } from '../transcript/read-session.ts'
import { model, person, result } from '../transcript/transcript.fixture.ts'
import { anthropicEditing } from './anthropic-editing.ts'
import { claudeCodeIdle } from './claude-code-idle.ts'
import { foresight } from './foresight.ts'
import { geminiMasking } from './gemini-masking.ts'
import { naiveRules, naiveWithEdits } from './naive-rules.ts'
import { observationMasking } from './observation-masking.ts'
import { opencodePrune } from './opencode-prune.ts'
import { pruneMessages } from './prune-messages.ts'

interface Step {
  readonly tool?: string
  readonly input?: object
  readonly output: string
}

/** A prompt, then one call in each step, then a text, so that the last request saw every result. */
function talk(steps: readonly Step[], pause = 1): readonly string[] {
  const called = steps.flatMap(({ tool = 'Read', input = {}, output }, at) => [
    model(at + 1, `m${at}`, { type: 'tool_use', id: `c${at}`, name: tool, input }),
    result(at + 1, `c${at}`, output),
  ])
  const end = steps.length + 1 + pause
  return [
    person(0, 'Go.'),
    ...called,
    person(end, 'More.'),
    model(end, 'end', { type: 'text', text: 'Yes.' }),
  ]
}

/** The places of the results that the last request still has whole. */
function whole(policy: Policy, lines: readonly string[]): readonly number[] {
  const [segment] = readSession('s', lines).segments
  if (segment === undefined) throw new Error('No segment.')
  const compile = policy.start(segment, 300, () => undefined)
  const shown = segment.requests.map(compile).at(-1) ?? []
  return shown
    .filter(({ block, words }) => block.kind === 'result' && words === null)
    .map(({ block }) => block.step - 1)
}

const many = (count: number, characters: number): readonly Step[] =>
  Array.from({ length: count }, (_, at) => ({
    input: { file_path: `/${at}` },
    output: 'x'.repeat(characters),
  }))

describe('the rules of other programs', () => {
  it('[X3] Anthropic clears all but three results from 100,000 tokens on', () => {
    expect(whole(anthropicEditing, talk(many(6, 30_000)))).toEqual([0, 1, 2, 3, 4, 5])
    expect(whole(anthropicEditing, talk(many(7, 30_000)))).toEqual([4, 5, 6])
  })

  it('[X3] observation masking keeps the results of ten steps', () => {
    expect(whole(observationMasking, talk(many(13, 10)))).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('[X3] pruneMessages keeps the newest steps only', () => {
    expect(whole(pruneMessages(2), talk(many(5, 10)))).toEqual([3, 4])
  })

  it('[X3] Claude Code keeps five results after an hour', () => {
    expect(whole(claudeCodeIdle, talk(many(7, 10), 3590))).toHaveLength(7)
    expect(whole(claudeCodeIdle, talk(many(7, 10), 3610))).toEqual([2, 3, 4, 5, 6])
  })

  it('[X3] Gemini CLI masks beyond 50,000 of its tokens when that saves 30,000', () => {
    expect(whole(geminiMasking, talk(many(8, 40_000)))).toHaveLength(8)
    expect(whole(geminiMasking, talk(many(10, 40_000)))).toEqual([4, 5, 6, 7, 8, 9])
  })

  it('[X3] OpenCode prunes when the agent has finished, and never the results of the last two prompts', () => {
    const steps = many(8, 40_000)
    expect(whole(opencodePrune, talk(steps))).toHaveLength(8)
    const later = [40, 50].flatMap(at => [
      person(at, 'And?'),
      model(at, `l${at}`, { type: 'text', text: 'So.' }),
    ])
    expect(whole(opencodePrune, [...talk(steps), ...later])).toEqual([4, 5, 6, 7])
  })

  it('[X3] naive rules clear repeated calls, and reads of a changed file only if configured', () => {
    const read = { input: { file_path: '/a' }, output: 'text' }
    const change = {
      tool: 'Edit',
      input: { file_path: '/a', old_string: 'te', new_string: 'be' },
      output: 'ok',
    }
    expect(whole(naiveRules, talk([read, read, change]))).toEqual([1, 2])
    expect(whole(naiveWithEdits, talk([read, read, change]))).toEqual([2])
  })

  it('[X3] foresight keeps the text that a later edit replaces', () => {
    const steps = [
      { output: 'what will be replaced' },
      { output: 'never used' },
      { tool: 'Grep', output: 'neither' },
      { tool: 'Edit', input: { old_string: 'will be', new_string: 'is' }, output: 'ok' },
    ]
    const [segment] = readSession('s', talk(steps)).segments
    if (segment === undefined) throw new Error('No segment.')
    const compile = foresight.start(segment, 300, () => undefined)
    const [, , , fourth = []] = segment.requests.map(compile)
    const kept = fourth.filter(({ block, words }) => block.kind === 'result' && words === null)
    expect(kept.map(({ block }) => block.content)).toEqual(['what will be replaced', 'neither'])
  })
})
