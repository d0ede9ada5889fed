import { expect, it } from 'vitest'
import { handoverMarks, withoutHandover } from '../protocol/handover.ts'
import type { MessagePart } from '../protocol/message.ts'
import { renderTranscript } from './transcript.ts'

const call = { type: 'dynamic-tool', toolCallId: 'c', toolName: 'Bash' } as const

it('[A13] a transcript has the author and text of each message and one line for each call', () => {
  const user: readonly MessagePart[] = [
    { type: 'text', text: 'Run the\ntests.' },
    { type: 'file', url: 'data:image/png;base64,AA==', mediaType: 'image/png', filename: 'a.png' },
  ]
  const input = { command: 'npm test' }
  const answer: readonly MessagePart[] = [
    { type: 'step-start' },
    { type: 'reasoning', text: 'Hm.' },
    { ...call, state: 'output-available', input, output: 'ok 1\n  ok 2' },
    { type: 'data-notice', data: { level: 'info', code: 'said-meanwhile', message: 'All of\nthem.' } },
    { type: 'data-notice', data: { level: 'info', code: 'retry', message: 'Again.' } },
    { ...call, state: 'output-error', input, errorText: 'exit 1' },
    { ...call, state: 'output-denied', input, approval: { id: 'a', approved: false } },
    { ...call, state: 'input-available', input },
    { type: 'text', text: 'They pass.' },
  ]
  const { text, ...facts } = renderTranscript(
    [
      { message: { id: '1', role: 'user', parts: user }, agent: 'claude-code' },
      { message: { id: '2', role: 'assistant', parts: answer }, agent: 'claude-code' },
      { message: { id: '3', role: 'assistant', parts: [{ type: 'step-start' }] }, agent: 'claude-code' },
    ],
    { limit: 10_000 },
  )
  expect(facts).toEqual({ messages: 2, characters: text.length, omitted: 0 })
  expect(text.split('\n').slice(2)).toEqual([
    '',
    '## user',
    'Run the',
    'tests.',
    '[file a.png image/png]',
    '',
    '## claude-code',
    '[tool Bash {"command":"npm test"} → ok 1 ok 2]',
    '[user, meanwhile: All of them.]',
    '[tool Bash {"command":"npm test"} → failed: exit 1]',
    '[tool Bash {"command":"npm test"} → was not allowed]',
    '[tool Bash {"command":"npm test"} → did not finish]',
    'They pass.',
    handoverMarks.end,
  ])
})

it('[A13] a tool result appears once, even if the agent repeats it', () => {
  const printed = 'PRINTED by the tool, once\n'
  const outputs = [
    { content: printed, structured: { stdout: printed, stderr: '', interrupted: false } },
    { output: printed, title: 't', metadata: { output: printed.trim(), exit: 0 } },
    [{ type: 'text', text: printed }, printed],
  ]
  const parts = outputs.map(output => ({ ...call, state: 'output-available', input: {}, output }) as const)
  const { text } = renderTranscript([{ message: { id: '1', role: 'assistant', parts }, agent: 'a' }], {
    limit: 10_000,
  })
  expect(text.split('PRINTED')).toHaveLength(outputs.length + 1)
  expect(text).toContain('"structured":{"interrupted":false}')
  expect(text).toContain('"exit":0')
})

it('[A13] a long message keeps its beginning and its end', () => {
  const long = `start${'😀'.repeat(20_000)}end`
  const message = { id: '1', role: 'user' as const, parts: [{ type: 'text' as const, text: long }] }
  const { text } = renderTranscript([{ message, agent: '' }], { limit: 8000 })
  expect(text).toMatch(/start.* … \(\d+ characters left out\) … .*end/su)
  expect(text.length).toBeLessThan(4000)
})

it('[A13] text that an agent repeats from a hand-over is not attributed to the user', () => {
  expect(withoutHandover('plain')).toBe('plain')
  expect(withoutHandover(`${handoverMarks.begin} never ended`)).toBe(`${handoverMarks.begin} never ended`)
})
