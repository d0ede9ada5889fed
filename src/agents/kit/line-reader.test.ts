import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cpuTimeOnce } from '../../projections/cpu-time.fixture.ts'
import type { Raw } from '../../protocol/event.ts'
import { propertyRuns } from '../../protocol/property-runs.fixture.ts'
import { readLines, type LineOptions } from './line-reader.ts'
import { notKept, overflowFolder, removeUnfinished } from './overflow.ts'
import { rawBytes } from './raw-bytes.ts'

async function listOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

async function dataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-lines-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (const cut of [...cuts].toSorted((a, b) => a - b)) {
    yield bytes.subarray(from, cut)
    from = cut
  }
  yield bytes.subarray(from)
}

async function linesOf(
  bytes: Uint8Array,
  options: LineOptions,
  cuts: readonly number[] = [],
): Promise<readonly Raw[]> {
  return await listOf(readLines(pieces(bytes, cuts), options))
}

async function bytesOf(raw: Raw, folder: string): Promise<Buffer> {
  return await buffer(rawBytes(raw, folder))
}

/** The lines of some bytes, read in the simplest way. */
function plainLines(bytes: Buffer): readonly string[] {
  const text = bytes.toString('latin1')
  return text.split('\n').filter(line => /[^ \t\r\v\f]/.test(line))
}

const awkward = fc.constantFrom(
  '\n',
  '\r\n',
  ' ',
  '\0',
  '\u2028',
  '\u{1f600}',
  '\ufeff',
  '\ufffd',
  '{"a":1}',
  'x'.repeat(40),
)
const anyBytes = fc
  .array(
    fc.oneof(
      awkward.map(text => Buffer.from(text)),
      fc.uint8Array({ maxLength: 12 }).map(bytes => Buffer.from(bytes)),
    ),
    { maxLength: 20 },
  )
  .map(list => Buffer.concat(list))

describe('line reader', () => {
  it('[R2] gives the same lines however the bytes are split, and keeps every byte', async () => {
    const folder = await dataFolder()
    const property = fc.asyncProperty(
      anyBytes,
      fc.array(fc.nat(400), { maxLength: 30 }),
      fc.constantFrom(16, 64, 1_000_000),
      async (bytes, cuts, limit) => {
        const options = { dataFolder: folder, limit }
        const within = cuts.map(cut => Math.min(cut, bytes.length))
        const whole = await linesOf(bytes, options)
        expect(await linesOf(bytes, options, within)).toEqual(whole)
        const back = await Promise.all(whole.map(raw => bytesOf(raw, folder)))
        expect(back.map(line => line.toString('latin1'))).toEqual(plainLines(bytes))
      },
    )
    await fc.assert(property, { numRuns: propertyRuns(300) })
  })

  it('[R2] keeps carriage returns, U+2028 and NUL, skips blank lines, and needs no final newline', async () => {
    const lines = ['{"a":1}\r', 'one\u2028two', 'nul\0', '\u00a0', 'no newline']
    const bytes = Buffer.from(`\n  \t\n${lines.join('\n\r\n')}`)
    expect(await linesOf(bytes, { dataFolder: await dataFolder() })).toEqual(lines.map(raw => ({ raw })))
  })

  it('[R2] keeps bytes that are not valid UTF-8 beside the text', async () => {
    const bytes = Buffer.from([0x61, 0xff, 0x62])
    const [raw] = await linesOf(bytes, { dataFolder: await dataFolder() })
    expect(raw).toEqual({ raw: 'a\ufffdb', rawBytes: bytes.toString('base64') })
  })

  it('[R2] saves a line over the limit on disk, readable only by its owner, and continues', async () => {
    const folder = await dataFolder()
    const long = Buffer.concat([Buffer.from('ü'.repeat(40_000)), randomBytes(200_000)]).map(byte =>
      byte === 10 ? 11 : byte,
    )
    const bytes = Buffer.concat([Buffer.from('before\n'), long, Buffer.from('\nafter\n')])
    const [before, kept, next] = await linesOf(
      bytes,
      { dataFolder: folder, limit: 100_000 },
      [50_000, 150_000],
    )
    expect([before, next]).toEqual([{ raw: 'before' }, { raw: 'after' }])
    expect(kept?.raw).toBe('ü'.repeat(32 * 1024))
    expect(kept?.rawFile).toMatchObject({ bytes: long.length, name: kept?.rawFile?.sha256 })
    expect((await bytesOf(kept as Raw, folder)).equals(long)).toBe(true)
    const { mode } = await stat(join(overflowFolder(folder), kept?.rawFile?.name ?? ''))
    expect(mode & 0o777).toBe(0o600)
  })

  it('[S28] saves a line with too many values on disk, and keeps its top levels for parsing', async () => {
    const folder = await dataFolder()
    const crowded = `{"type":"result","list":[${'[],'.repeat(200_000)}[]],"id":"r1"}`
    const long = JSON.stringify({ text: '[],'.repeat(100_000) })
    const [first, second] = await linesOf(Buffer.from(`${crowded}\n${long}`), { dataFolder: folder })
    expect(JSON.parse(first?.raw ?? '')).toMatchObject({ type: 'result', id: 'r1' })
    expect(first?.raw.length).toBeLessThan(120_000)
    expect(first && (await bytesOf(first, folder)).toString()).toBe(crowded)
    expect(second).toEqual({ raw: long })
  })

  it('[R4] reads a line of 100 MB in bounded memory and in proportional time', async () => {
    const folder = await dataFolder()
    const piece = Buffer.alloc(64 * 1024, 'x')
    let most = 0
    async function* long() {
      const before = process.memoryUsage()
      for (let at = 0; at < 1_600; at += 1) {
        yield piece
        const now = process.memoryUsage()
        most = Math.max(most, now.heapUsed + now.arrayBuffers - before.heapUsed - before.arrayBuffers)
      }
      yield Buffer.from('\nnext')
    }
    let lines: readonly Raw[] = []
    const took = await cpuTimeOnce(async () => {
      lines = await listOf(readLines(long(), { dataFolder: folder }))
    })
    expect(lines.map(({ raw }) => raw.length)).toEqual([64 * 1024, 4])
    expect(lines[0]?.rawFile?.bytes).toBe(1_600 * piece.length)
    expect(most).toBeLessThan(40 * 1024 * 1024)
    expect(took).toBeLessThan(120_000)
  })

  it('[R4] reads a long line in single bytes in proportional time', async () => {
    const folder = await dataFolder()
    const timeFor = async (length: number) => {
      const bytes = Buffer.from(`${'y'.repeat(length)}\nend`)
      async function* single() {
        for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1)
      }
      let lines: readonly Raw[] = []
      const took = await cpuTimeOnce(async () => {
        lines = await listOf(readLines(single(), { dataFolder: folder }))
      })
      expect(lines.map(({ raw }) => raw.length)).toEqual([length, 3])
      return took
    }
    await timeFor(250_000)
    const short = await timeFor(250_000)
    // If every byte copied the line, eight times the length would take 64 times as long.
    expect(await timeFor(2_000_000)).toBeLessThan(24 * short)
  })

  it('[R2] reports a disk that refuses a long line, and continues', async () => {
    const folder = await dataFolder()
    await writeFile(overflowFolder(folder), 'a file where a folder should be')
    const troubles: string[] = []
    const options = {
      dataFolder: folder,
      limit: 10,
      report: (trouble: string) => void troubles.push(trouble),
    }
    const [lost, next] = await linesOf(Buffer.from(`${'z'.repeat(50)}\nshort`), options, [5, 20])
    expect(lost).toMatchObject({ raw: 'z'.repeat(50), rawFile: { name: notKept, bytes: 50 } })
    expect(next).toEqual({ raw: 'short' })
    expect(troubles).toHaveLength(1)
    await expect(bytesOf(lost as Raw, folder)).rejects.toMatchObject({ code: 'save-failed' })
  })

  it('[R2] deletes the file of a long line that cannot be finished', async () => {
    const folder = await dataFolder()
    const long = 'z'.repeat(50)
    const sha256 = createHash('sha256').update(long).digest('hex')
    await mkdir(join(overflowFolder(folder), sha256), { recursive: true })
    const troubles: string[] = []
    const options = {
      dataFolder: folder,
      limit: 10,
      report: (trouble: string) => void troubles.push(trouble),
    }
    const [lost] = await linesOf(Buffer.from(long), options)
    expect(lost?.rawFile).toEqual({ name: notKept, bytes: 50, sha256 })
    expect(troubles).toHaveLength(1)
    expect(await readdir(overflowFolder(folder))).toEqual([sha256])
  })

  it('[R3] reads only files in the folder for long lines', async () => {
    const rawFile = { name: '../secret', bytes: 1, sha256: '' }
    await expect(bytesOf({ raw: '', rawFile }, await dataFolder())).rejects.toMatchObject({
      code: 'save-failed',
    })
  })

  it('[R4] leaves no incomplete file behind when reading stops or after a crash', async () => {
    const folder = await dataFolder()
    async function* endless() {
      yield Buffer.from('first\n')
      while (true) yield Buffer.alloc(1_000, 'x')
    }
    let read = 0
    const lines = readLines(
      (async function* () {
        for await (const piece of endless()) {
          if ((read += 1) > 20) throw new Error('the pipe broke')
          yield piece
        }
      })(),
      { dataFolder: folder, limit: 100 },
    )
    await expect(listOf(lines)).rejects.toThrow('the pipe broke')
    expect(await readdir(overflowFolder(folder))).toEqual([])
    await writeFile(join(overflowFolder(folder), 'unfinished-1'), '')
    await removeUnfinished(folder)
    expect(await readdir(overflowFolder(folder))).toEqual([])
  })
})
