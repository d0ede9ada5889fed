import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { firstIn, readObjects, readWhole, troubleWith } from './transcript-files.ts'

const mebibyte = 1024 * 1024

function fileOf(content: Uint8Array): { readonly file: string; readonly dataFolder: string } {
  const dataFolder = mkdtempSync(join(tmpdir(), 'dragoman-packed-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true }))
  const file = join(dataFolder, 'a.jsonl.gz')
  writeFileSync(file, content)
  return { file, dataFolder }
}

const line = `{"a":"${'x'.repeat(mebibyte)}"}\n`
const skip = () => undefined

it.each([
  ['gzip', gzipSync],
  ['zstd', zstdCompressSync],
] as const)(
  '[S12] a file that unpacks to far more than its size is refused with a sentence (%s)',
  async (_, pack) => {
    const { file, dataFolder } = fileOf(pack(Buffer.alloc(70 * mebibyte, 'x')))
    const sentence =
      'It unpacks to more than 100 times its size, so it was not imported. If you trust the file, raise --unpack-limit.'
    await expect(readObjects(file, { dataFolder, skip })).rejects.toThrow(sentence)
    await expect(readWhole(file)).rejects.toThrow(sentence)
    expect(await troubleWith(file)).toBe(sentence)
    expect(await firstIn(file)).toBeUndefined()
  },
)

it('[S12] small files are refused too, because many of them could fill a disk', async () => {
  const { file, dataFolder } = fileOf(gzipSync(Buffer.alloc(6 * mebibyte, 'x')))
  await expect(readObjects(file, { dataFolder, skip })).rejects.toThrow('more than 100 times its size')
  const short = fileOf(gzipSync('{}\n'.repeat(2 * mebibyte)))
  await expect(readObjects(short.file, { ...short, skip })).rejects.toThrow('more than 100 times its size')
})

it('[S12] a packed file with too many lines is refused, because each line takes memory', async () => {
  const noise = `{"a":"${randomBytes(mebibyte).toString('base64')}"}\n`
  const { file, dataFolder } = fileOf(gzipSync(noise + '{}\n'.repeat(2_000_001)))
  await expect(readObjects(file, { dataFolder, skip })).rejects.toThrow(
    'It unpacks to more than 2000000 lines, so it was not imported. If you trust the file, raise --unpack-limit.',
  )
})

it('[S12] the limit for unpacked files can be changed', async () => {
  const { file, dataFolder } = fileOf(gzipSync(line.repeat(70)))
  await expect(readObjects(file, { dataFolder, skip, unpackLimit: 5 * mebibyte })).rejects.toThrow(
    'It unpacks to more than 5 MiB, so it was not imported.',
  )
  expect(await readObjects(file, { dataFolder, skip, unpackLimit: 200 * mebibyte })).toHaveLength(70)
})

it('[S12] an ordinary packed file is read', async () => {
  const { file, dataFolder } = fileOf(gzipSync(line.repeat(3)))
  expect(await readObjects(file, { dataFolder, skip })).toHaveLength(3)
})
