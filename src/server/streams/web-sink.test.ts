import { describe, expect, it } from 'vitest'
import { openWebSink } from './web-sink.ts'

function open(parkBytes = 100) {
  const { sink, body } = openWebSink(parkBytes)
  const told: string[] = []
  sink.attend({ drained: () => told.push('drained'), gone: () => told.push('gone') })
  return { sink, body, reader: body.getReader(), told }
}

describe('openWebSink', () => {
  it('[R4] says when the reader is behind, and tells when it has read', async () => {
    const { sink, reader, told } = open()
    expect(sink.write('ü'.repeat(50))).toBe(true)
    expect(sink.waiting()).toBe(100)
    expect(sink.write('x')).toBe(false)
    await reader.read()
    await reader.read()
    expect(told).toEqual(['drained'])
    expect(sink.waiting()).toBe(0)
    expect(sink.write('x')).toBe(true)
  })

  it('[R2] tells once that the reader is gone, and takes nothing more', async () => {
    const { sink, reader, told } = open()
    await reader.cancel()
    expect(sink.write('x')).toBe(false)
    sink.end()
    sink.cut()
    expect(told).toEqual(['gone'])
  })

  it('[R2] ends after what waits, or breaks off', async () => {
    const ended = open()
    ended.sink.write('last')
    ended.sink.end()
    expect(new TextDecoder().decode((await ended.reader.read()).value)).toBe('last')
    expect((await ended.reader.read()).done).toBe(true)
    expect(ended.told).toEqual(['gone'])
    const cut = open()
    cut.sink.cut()
    await expect(cut.reader.read()).rejects.toThrow('cut off')
    expect(cut.told).toEqual(['gone'])
  })
})
