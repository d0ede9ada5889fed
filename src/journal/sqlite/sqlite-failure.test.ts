import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { describeFailure } from './sqlite-failure.ts'

it('[R5] packed entries that cannot be read count as damage, not as a failed save', () => {
  const packed = zstdCompressSync(Buffer.from('entry '.repeat(1000)))
  const broken = [
    Buffer.from('nonsense'),
    packed.subarray(0, packed.length - 4),
    packed.map((byte, at) => (at > 8 ? ~byte : byte)),
  ]
  for (const bytes of broken) {
    let failure: unknown
    try {
      zstdDecompressSync(bytes)
    } catch (error) {
      failure = error
    }
    const { code, message } = describeFailure(failure, '/data')
    expect(code).toBe('session-damaged')
    expect(message).toMatch(/^Data in \/data cannot be decompressed .* Run "dragoman verify"/)
  }
})
