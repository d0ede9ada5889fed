import { describe, expect, it } from 'vitest'
import { readRecorded } from './recorded-line.ts'

describe('a recorded line', () => {
  it('[A2] has its direction, and its message as it was on the wire', () => {
    const native = '{"jsonrpc":"2.0", "id":1,"x":"\\u2028}"}'
    expect(readRecorded(`{"dir":"in","t":15,"msg":${native}}\r`)).toEqual({ from: 'agent', text: native })
    expect(readRecorded(`{"dir":"out","msg":${native}}`)).toEqual({ from: 'host', text: native })
    expect(readRecorded(`{"msg":${native},"dir":"out"}`)).toEqual({
      from: 'host',
      text: JSON.stringify(JSON.parse(native)),
    })
  })

  it('[A2] without a direction is left out, and any other is the agent’s own line', () => {
    expect(readRecorded('{"dir":"meta","t":1,"msg":{"event":"exit"}}')).toBeNull()
    expect(readRecorded('{"msg":{},"dir":"meta"}')).toBeNull()
    for (const line of ['{"jsonrpc":"2.0"}', 'no json', '{"dir":"up","msg":{}}', '[]', '{"dir":"in","msg":{'])
      expect(readRecorded(line)).toEqual({ from: 'agent', text: line })
  })
})
