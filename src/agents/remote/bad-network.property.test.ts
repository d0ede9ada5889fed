import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Child } from '../program.ts'
import { chanceOf, openBadNetwork } from './bad-network.fixture.ts'
import { createService } from './service.ts'
import { newFolder, python, startService, withoutPython, type Running } from './service.fixture.ts'
import { startRemotely } from './start-remotely.ts'

/** Prints a file in pieces, then repeats each line that it reads; "end" ends it with code 3. */
const parrot = `
  const { readFileSync } = require('node:fs')
  const bytes = readFileSync(process.argv[2])
  for (let at = 0; at < bytes.length; at += 7919) process.stdout.write(bytes.subarray(at, at + 7919))
  process.stderr.write('a word beside\\n')
  require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
    if (line === 'end') process.stdout.write('no newline', () => process.exit(3))
    else process.stdout.write('heard ' + line + '\\n')
  })`

/**
 * Lines of all kinds: short, long, blank, not UTF-8, with carriage returns and with separators that are not newlines.
 */
function lines(seed: number): Buffer {
  const chance = chanceOf(seed)
  const line = () => {
    const kind = chance()
    if (kind < 0.1) return Buffer.from([0xff, 0xc0, 0x0d, 0x41, Math.floor(chance() * 256) & 0xf5])
    if (kind < 0.2) return Buffer.from(' \r')
    if (kind < 0.3) return Buffer.from(`{"text":"${'ü'.repeat(chance() * 9_000)}"}`)
    if (kind < 0.4) return Buffer.from('data: x\u2028id: 7')
    return Buffer.from(JSON.stringify({ number: chance(), text: 'word '.repeat(chance() * 40) }))
  }
  return Buffer.concat(Array.from({ length: 150 }, () => Buffer.concat([line(), Buffer.from('\n')])))
}

async function bytesOf(child: Child): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of child.output) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function logOf(child: Child): Promise<string> {
  let text = ''
  for await (const piece of child.logs) text += piece
  return text
}

/** Sends lines to one program behind a bad network; returns all that came back. */
async function converse(service: Running, url: string, file: string, input: readonly string[]) {
  const token = () => Promise.resolve(readFileSync(service.tokenFile, 'utf8').trim())
  const child = startRemotely(
    {
      command: 'parrot',
      args: [file],
      cwd: service.folder,
      dataFolder: service.folder,
      signal: AbortSignal.timeout(60_000),
    },
    {
      service: createService({ url, token, callMs: 400, silenceMs: 400 }),
      subject: { name: 'there', url, tokenPlace: service.tokenFile },
      program: 'parrot',
      patienceMs: 50_000,
      startMs: 50_000,
    },
  )
  const reading = Promise.all([bytesOf(child), logOf(child)])
  for (const line of input) await child.write(`${line}\n`)
  const [bytes, log] = await reading
  return { bytes, log, exit: await child.exit }
}

describe('a network that loses connections anywhere', () => {
  it('[A10] [R2] loses and repeats nothing, in either direction', async context => {
    if (python === null) return context.skip(withoutPython)
    const folder = newFolder()
    const program = join(folder, 'parrot.cjs')
    writeFileSync(program, parrot)
    const service = await startService(
      { parrot: { argv: [process.execPath, program], args: ['*'] } },
      { beatSeconds: 0.1, waitingBytes: 65_536 },
    )
    let lost = 0
    const holds = fc.asyncProperty(fc.nat(), async seed => {
      const network = await openBadNetwork(service.port, seed, 30_000)
      const output = lines(seed)
      const file = join(folder, `${seed}.txt`)
      writeFileSync(file, output)
      const input = Array.from({ length: 12 }, (_, at) => `line ${at} ${'x'.repeat(at * 97)}`)
      const { bytes, log, exit } = await converse(service, network.url, file, [...input, 'end'])
      const echoed = input.map(line => `heard ${line}\n`).join('')
      expect(bytes.equals(Buffer.concat([output, Buffer.from(`${echoed}no newline`)]))).toBe(true)
      expect(log.match(/a word beside\n/g)).toHaveLength(1)
      expect(exit).toMatchObject({ code: 3, signal: null })
      lost += Object.values(network.lost).reduce((sum, count) => sum + count, 0)
    })
    await fc.assert(holds, { numRuns: 10, interruptAfterTimeLimit: 60_000, endOnFailure: true })
    expect(lost).toBeGreaterThan(30)
  })
})
