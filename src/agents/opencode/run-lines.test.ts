import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { partsOf, readRecorded } from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'
import { callsIn } from './native.fixture.ts'
import { translateOnly, translateRecording, type Translated } from './lines.fixture.ts'

const run = (type: string, fields: Readonly<Record<string, Json>>): string =>
  JSON.stringify({ type, timestamp: 1, sessionID: 'S', ...fields })

/** The calls of a recording of the server's events, as `opencode run` would print them: not those of subagents. */
function printed(name: string): readonly string[] {
  const { native } = readRecorded(opencode, join(import.meta.dirname, 'recordings', `${name}.jsonl`))
  const [first, ...rest] = callsIn(native)
  const own = [first ?? {}, ...rest.filter(part => part['sessionID'] === first?.['sessionID'])]
  return own.map(part => run('tool_use', { sessionID: part['sessionID'] ?? '', part }))
}

const facts = ({ messages }: Translated) => messages.map(({ message }) => message.metadata)
const call = ({ messages }: Translated, name: string) =>
  messages
    .flatMap(({ message }) => message.parts)
    .flatMap(part => (part.type === 'dynamic-tool' && part.toolName === name ? [part] : []))[0]

/** Only running calls have a title. */
const untitled = (part: object) => ({ ...part, title: undefined })

describe('opencode run --format json', () => {
  it('[P2] steps, text and calls are one message that finishes, with its usage', () => {
    const translated = translateRecording('run-json-tools')
    expect(partsOf(translated, 'text').map(({ text }) => text)).toEqual(['Looking. ', 'All done.'])
    expect(call(translated, 'bash')).toMatchObject({
      state: 'output-available',
      input: { command: 'echo hi; exit 3' },
      output: { output: 'hi\n', metadata: { exit: 3 } },
    })
    expect(facts(translated)).toMatchObject([
      { reason: 'finished', tokens: { input: 200, output: 60, cacheRead: 40, cacheWrite: 0 } },
    ])
    const thinking = translateRecording('run-json-thinking')
    expect(partsOf(thinking, 'reasoning').map(({ text }) => text)).toEqual(['deep thought'])
    expect(partsOf(thinking, 'text').map(({ text }) => text)).toEqual(['Answer.'])
    expect([translated, thinking].flatMap(each => partsOf(each, 'data-unknown'))).toEqual([])
  })

  it('[P7] an error ends the answer, also one that never began or has no session', () => {
    const error = { kind: 'APIError', message: 'The model rejected this request. (HTTP 400)' }
    expect(facts(translateRecording('run-json-error'))).toMatchObject([{ reason: 'failed', error }])
    const part = { id: 't', sessionID: 'S', messageID: 'a', type: 'text', text: 'Hi', time: { end: 1 } }
    const broken = translateOnly(run('text', { part }), run('error', { error: { name: 'X' } }))
    expect(facts(broken)).toMatchObject([{ reason: 'failed', error: { kind: 'X' } }])
    const homeless = translateOnly('{"type":"error","error":{"name":"X","data":{"message":"No."}}}')
    expect(partsOf(homeless, 'data-notice').map(({ data }) => data)).toMatchObject([
      { level: 'error', message: 'No.' },
    ])
  })

  it.each(['tool-bash-fail', 'tool-write-edit', 'tool-read-missing', 'mcp-tools', 'todo', 'subagent-task'])(
    '[P3] %s: calls have the same names and shapes as from the server',
    name => {
      const [state, seen] = [translateOnly(...printed(name)), translateRecording(name)]
      const calls = partsOf(state, 'dynamic-tool')
      expect(calls.length).toBeGreaterThan(0)
      const same = partsOf(seen, 'dynamic-tool').map(untitled)
      for (const each of calls) expect(same).toContainEqual(untitled(each))
      expect(partsOf(state, 'data-todos')).toEqual(partsOf(seen, 'data-todos'))
    },
  )

  it('[P4] a subagent ends with its call, and its usage is unknown', () => {
    const news = partsOf(translateOnly(...printed('subagent-task')), 'data-subagent').at(-1)?.data
    expect(news).toMatchObject({
      agent: 'general',
      description: 'sub work',
      status: 'completed',
      tokens: null,
    })
  })

  it('[A3] other lines of these names stay unknown, and unknown fields are shown', () => {
    const other = translateOnly('{"type":"text","words":"kept"}', '{"type":"error","words":"kept, too"}')
    expect(partsOf(other, 'data-unknown').map(({ data }) => data.kind)).toEqual(['text', 'error'])
    const part = {
      id: 't',
      sessionID: 'S',
      messageID: 'a',
      type: 'text',
      text: 'Hi',
      time: { end: 1 },
      mood: 'new',
    }
    expect(JSON.stringify(partsOf(translateOnly(run('text', { part })), 'data-unknown'))).toContain('mood')
  })
})
