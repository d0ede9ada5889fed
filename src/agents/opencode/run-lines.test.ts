import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../protocol/json.ts'
import { partsOf, readRecorded } from '../kit/lossless.fixture.ts'
import { opencode } from './index.ts'
import { callsIn } from './native.fixture.ts'
import { hearLines, heardOf, type Heard } from './talk.fixture.ts'

const run = (type: string, fields: Readonly<Record<string, Json>>): string =>
  JSON.stringify({ type, timestamp: 1, sessionID: 'S', ...fields })

/** The calls of a recording of the server's events, as `opencode run` would print them: not those of subagents. */
function printed(name: string): readonly string[] {
  const { native } = readRecorded(opencode, join(import.meta.dirname, 'recordings', `${name}.jsonl`))
  const [first, ...rest] = callsIn(native)
  const own = [first ?? {}, ...rest.filter(part => part['sessionID'] === first?.['sessionID'])]
  return own.map(part => run('tool_use', { sessionID: part['sessionID'] ?? '', part }))
}

const facts = ({ messages }: Heard) => messages.map(({ message }) => message.metadata)
const call = ({ messages }: Heard, name: string) =>
  messages
    .flatMap(({ message }) => message.parts)
    .flatMap(part => (part.type === 'dynamic-tool' && part.toolName === name ? [part] : []))[0]

/** A title is told only of calls that run. */
const untitled = (part: object) => ({ ...part, title: undefined })

describe('opencode run --format json', () => {
  it('[P2] steps, words and calls are one message that finishes, with what it used', () => {
    const heard = heardOf('run-json-tools')
    expect(partsOf(heard, 'text').map(({ text }) => text)).toEqual(['Looking. ', 'All done.'])
    expect(call(heard, 'bash')).toMatchObject({
      state: 'output-available',
      input: { command: 'echo hi; exit 3' },
      output: { output: 'hi\n', metadata: { exit: 3 } },
    })
    expect(facts(heard)).toMatchObject([
      { reason: 'finished', tokens: { input: 200, output: 60, cacheRead: 40, cacheWrite: 0 } },
    ])
    const thinking = heardOf('run-json-thinking')
    expect(partsOf(thinking, 'reasoning').map(({ text }) => text)).toEqual(['deep thought'])
    expect(partsOf(thinking, 'text').map(({ text }) => text)).toEqual(['Answer.'])
    expect([heard, thinking].flatMap(each => partsOf(each, 'data-unknown'))).toEqual([])
  })

  it('[P7] an error ends the answer, also one that never began or has no session', () => {
    const error = { kind: 'APIError', message: 'The model rejected this request. (HTTP 400)' }
    expect(facts(heardOf('run-json-error'))).toMatchObject([{ reason: 'failed', error }])
    const part = { id: 't', sessionID: 'S', messageID: 'a', type: 'text', text: 'Hi', time: { end: 1 } }
    const broken = hearLines(run('text', { part }), run('error', { error: { name: 'X' } }))
    expect(facts(broken)).toMatchObject([{ reason: 'failed', error: { kind: 'X' } }])
    const homeless = hearLines('{"type":"error","error":{"name":"X","data":{"message":"No."}}}')
    expect(partsOf(homeless, 'data-notice').map(({ data }) => data)).toMatchObject([
      { level: 'error', message: 'No.' },
    ])
  })

  it.each(['tool-bash-fail', 'tool-write-edit', 'tool-read-missing', 'mcp-tools', 'todo', 'subagent-task'])(
    '[P3] %s: calls have the same names and shapes as from the server',
    name => {
      const [told, seen] = [hearLines(...printed(name)), heardOf(name)]
      const calls = partsOf(told, 'dynamic-tool')
      expect(calls.length).toBeGreaterThan(0)
      const same = partsOf(seen, 'dynamic-tool').map(untitled)
      for (const each of calls) expect(same).toContainEqual(untitled(each))
      expect(partsOf(told, 'data-todos')).toEqual(partsOf(seen, 'data-todos'))
    },
  )

  it('[P4] a subagent has ended with its call, and what it took is not known', () => {
    const news = partsOf(hearLines(...printed('subagent-task')), 'data-subagent').at(-1)?.data
    expect(news).toMatchObject({
      agent: 'general',
      description: 'sub work',
      status: 'completed',
      tokens: null,
    })
  })

  it('[A3] other lines of these names stay unknown, and unknown fields are shown', () => {
    const other = hearLines('{"type":"text","words":"kept"}', '{"type":"error","words":"kept, too"}')
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
    expect(JSON.stringify(partsOf(hearLines(run('text', { part })), 'data-unknown'))).toContain('mood')
  })
})
