import { describe, expect, it } from 'vitest'
import type { Entry } from 'dragoman'
import { beginningOf, kindOf, lineOf } from './line.ts'
import { sayChunk } from './line-row.tsx'

const entry = (event: object) => ({ seq: 7, at: 1, event }) as unknown as Entry

describe('an entry in the inspector', () => {
  it('[W4] has its native line and its direction', () => {
    const line = lineOf(
      entry({ type: 'host-spoke', interaction: 'i', connection: 'c', raw: '{"a":1}', chunks: [] }),
    )
    expect(line).toMatchObject({ seq: 7, direction: 'to-agent', raw: '{"a":1}', facts: { interaction: 'i' } })
    expect(beginningOf(line)).toBe('{"a":1}')
  })
  it('[W4] states when a line is cut, and when its bytes are not valid text', () => {
    const rawFile = { name: 'f', bytes: 10_485_760, sha256: '' }
    const line = lineOf(entry({ type: 'agent-spoke', raw: 'x', rawBytes: '/w==', rawFile, chunks: [] }))
    expect(line).toMatchObject({ wholeBytes: 10_485_760, hasOtherBytes: true })
  })
  it('[W4] shows the fields of an entry without a native line', () => {
    const line = lineOf(entry({ type: 'session-renamed', title: 'New' }))
    expect(line).toMatchObject({ direction: 'none', raw: null })
    expect(beginningOf(line)).toBe('{"title":"New"}')
  })
  it('[W4] shows the agent’s name for the line', () => {
    const kind = (raw: string) => kindOf(lineOf(entry({ type: 'agent-spoke', raw, chunks: [] })))
    expect(kind('{"uuid":"1","type":"assistant"}')).toBe('assistant')
    expect(kind('{"jsonrpc":"2.0","method":"session/update"}')).toBe('session/update')
    expect(kind('{"message":{"type":"message"},"type":"user"}')).toBe('user')
    expect(kind(`{"type":"result","text":"${'x'.repeat(30_000)}"}`)).toBe('result')
    expect(kind('{"dragoman":"request","tools":[{"type":"function"}]}')).toBe('request')
    expect(kind('plain words')).toBeNull()
    expect(kindOf(lineOf(entry({ type: 'session-archived' })))).toBe('session-archived')
  })
  it('[W4] summarizes a chunk in a few words, however large it is', () => {
    const output = { text: 'y'.repeat(10 << 20) }
    expect(sayChunk({ type: 'tool-output-available', toolCallId: 'c', output }).length).toBeLessThan(130)
    expect(sayChunk({ type: 'text-delta', id: 't', delta: 'hello' })).toBe('hello')
  })
})
