import { describe, expect, it } from 'vitest'
import { openWebSink } from './web-sink.ts'

function open(parkBytes = 100) {
  const { sink, body } = openWebSink(parkBytes)
  const calls: string[] = []
  sink.attend({ drained: () => calls.push('drained'), gone: () => calls.push('gone') })
  return { sink, body, reader: body.getReader(), calls }
}

describe('openWebSink', () => {
  it('[R4] reports when the client is behind, and when it has caught up', async () => {
    const { sink, reader, calls } = open()
    expect(sink.write('ü'.repeat(50))).toBe(true)
    expect(sink.waiting()).toBe(100)
    expect(sink.write('x')).toBe(false)
    await reader.read()
    await reader.read()
    expect(calls).toEqual(['drained'])
    expect(sink.waiting()).toBe(0)
    expect(sink.write('x')).toBe(true)
  })

  it('[R2] reports once that the client is gone, and accepts nothing more', async () => {
    const { sink, reader, calls } = open()
    await reader.cancel()
    expect(sink.write('x')).toBe(false)
    sink.end()
    sink.cut()
    expect(calls).toEqual(['gone'])
  })

  it('[R2] ends after the unread data, or breaks the connection', async () => {
    const ended = open()
    ended.sink.write('last')
    ended.sink.end()
    expect(new TextDecoder().decode((await ended.reader.read()).value)).toBe('last')
    expect((await ended.reader.read()).done).toBe(true)
    expect(ended.calls).toEqual(['gone'])
    const cut = open()
    cut.sink.cut()
    await expect(cut.reader.read()).rejects.toThrow('cut off')
    expect(cut.calls).toEqual(['gone'])
  })
})
