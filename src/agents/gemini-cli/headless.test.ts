import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import { stored, translateLines } from '../kit/lossless.fixture.ts'
import { geminiCli } from './index.ts'

const init = { type: 'init', session_id: 's', model: 'm' }
const user = { type: 'message', role: 'user', content: 'Go' }
const text = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
const result = (more: Record<string, Json> = {}) => ({ type: 'result', status: 'success', ...more })

function messagesOf(...lines: readonly (Json | string)[]) {
  const chunks = translateLines(
    geminiCli,
    lines.map(line => (typeof line === 'string' ? line : JSON.stringify(line))),
  )
  assertWellFormed(chunks)
  return stored(chunks).map(({ message }) => message)
}

describe('the headless mode of Gemini CLI', () => {
  it('[P7] a stopped run prints nothing at its end, and ends with the next one', () => {
    const messages = messagesOf(init, user, text('one '), init, user, text('two'), result())
    expect(messages.map(({ metadata }) => metadata?.['reason'])).toEqual(['interrupted', 'finished'])
  })

  it('[P7] an error of the model is its message; without one, the last error', () => {
    const error = (message: string) => result({ status: 'error', error: { type: 'unknown', message } })
    const reason = (...lines: readonly Json[]) => messagesOf(init, user, ...lines)[0]?.metadata?.['error']
    expect(reason(error('[API Error: {"error":{"message":"Rejected."}}]'))).toEqual({
      kind: 'unknown',
      message: 'Rejected.',
    })
    expect(reason(error('[API Error: terminated]'))).toMatchObject({ message: '[API Error: terminated]' })
    expect(
      reason({ type: 'error', severity: 'error', message: 'Empty.' }, result({ status: 'error' })),
    ).toMatchObject({ message: 'Empty.' })
    expect(reason(result({ status: 'error' }))).toMatchObject({
      message: 'Gemini CLI failed and did not say why.',
    })
  })

  it('[P3] calls are between the texts; a failure has its output and its error', () => {
    const use = { type: 'tool_use', tool_name: 'read_file', tool_id: 'c', parameters: { a: 1 } }
    const failed = {
      type: 'tool_result',
      tool_id: 'c',
      status: 'error',
      output: 'File not found.',
      error: { type: 'file_not_found', message: 'No such file: a' },
    }
    const [message] = messagesOf(init, user, text('Look. '), use, failed, text('None.'), result())
    expect(message?.parts.map(({ type }) => type)).toEqual([
      'data-session',
      'step-start',
      'text',
      'dynamic-tool',
      'data-notice',
      'text',
      'data-usage',
    ])
    expect(JSON.stringify(message)).toContain('file_not_found: File not found.')
  })

  it('[P7] cache reads are not counted as input', () => {
    const stats = { input_tokens: 100, output_tokens: 5, cached: 80, input: 20, duration_ms: 7 }
    const [message] = messagesOf(init, user, text('x'), result({ stats }))
    expect(message?.metadata).toMatchObject({
      tokens: { input: 20, output: 5, cacheRead: 80 },
      duration: 7,
      gemini: { stats },
    })
  })

  it('[R2] garbage, unknown kinds and odd fields do no harm', () => {
    const odd: readonly Json[] = [
      { type: 'brand-new' },
      { type: 'tool_use' },
      { type: 'tool_result' },
      { type: 'message', role: 'assistant' },
      { type: 'error' },
      { type: 'init' },
      { type: 'result' },
      {},
    ]
    for (const line of odd) messagesOf(init, user, line, result())
    messagesOf(...odd)
    const [message] = messagesOf(init, user, text('x'), 'Warning: something', result())
    expect(message?.parts.some(({ type }) => type === 'data-notice')).toBe(true)
  })

  it('[A3] unknown kinds are shown where they came, before, in and after a run', () => {
    const strange = (words: string) => ({ type: 'brand_new', words })
    const run = [init, user, text('one '), strange('in'), text('two'), result(), strange('after'), 'no json']
    const [message, ...more] = messagesOf(strange('before'), ...run)
    expect(more).toEqual([])
    const unknown = message?.parts.flatMap(part => (part.type === 'data-unknown' ? [part.data.native] : []))
    expect(unknown).toEqual([strange('before'), strange('in'), strange('after')])
    expect(message?.parts.filter(({ type }) => type === 'text')).toMatchObject([{ text: 'one two' }])
    expect(message?.metadata).toMatchObject({ reason: 'finished' })
    expect(message?.parts.at(-1)).toMatchObject({ type: 'data-notice' })
    expect(messagesOf(strange('alone'))).toHaveLength(1)
  })
})
