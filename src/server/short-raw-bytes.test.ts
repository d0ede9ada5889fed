import { expect, it } from 'vitest'
import type { Raw } from '../protocol/event.ts'
import { shortRawBytes } from './short-raw-bytes.ts'

async function bytesOf(raw: Raw): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of shortRawBytes(raw)) pieces.push(piece)
  return Buffer.concat(pieces)
}

it('[J3] returns a native line byte for byte, even if it is not valid text', async () => {
  expect((await bytesOf({ raw: 'grüße' })).toString()).toBe('grüße')
  const bytes = Buffer.from([0x22, 0xff, 0xfe])
  expect(await bytesOf({ raw: '"\ufffd\ufffd', rawBytes: bytes.toString('base64') })).toEqual(bytes)
})

it('[J3] refuses a line that is stored in a file, and says what to configure', async () => {
  const raw = { raw: 'the beginning', rawFile: { name: 'f', bytes: 9, sha256: '' } }
  await expect(bytesOf(raw)).rejects.toThrow(
    /has 9 bytes and is stored in a file .* Pass "rawBytes" to createDragoman\./,
  )
})
