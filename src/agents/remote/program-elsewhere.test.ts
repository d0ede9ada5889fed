import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acp } from '../acp/index.ts'
import { scripted } from '../scripted/index.ts'
import {
  connect,
  linesOf,
  newFolder,
  python,
  remote,
  scriptedProgram,
  startService,
  withoutPython,
} from './service.fixture.ts'
import { isAlive, sessionsOf } from './watch.fixture.ts'

describe('a program on another machine', () => {
  it('[A10] [A14] ends with all that it started, also with processes that try to escape', async context => {
    if (python === null) return context.skip(withoutPython)
    const script = join(newFolder(), 'family.cjs')
    const child = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('deaf')`
    writeFileSync(
      script,
      `const { spawn } = require('node:child_process')
      process.on('SIGTERM', () => {})
      const sons = [true, false].map(detached => spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { detached, stdio: ['ignore', 'pipe', 'ignore'] }))
      const deaf = sons.map(son => new Promise(done => son.stdout.once('data', done)))
      Promise.all(deaf).then(() => console.log(JSON.stringify([process.pid, ...sons.map(son => son.pid)])))
      setInterval(() => {}, 1e6)`,
    )
    const service = await startService({ acp: { argv: [process.execPath, script] } })
    const { connection } = await connect(remote(service, 'acp', { options: { command: 'x' } }))
    const [line] = await linesOf(connection, () => true)
    const pids = JSON.parse(line?.raw ?? '[]') as readonly number[]
    expect(pids.map(isAlive)).toEqual([true, true, true])
    await connection[Symbol.asyncDispose]()
    expect(pids.map(isAlive)).toEqual([false, false, false])
    expect(await connection.exit).toMatchObject({ code: null, signal: 'SIGKILL' })
    await expect.poll(async () => (await sessionsOf(service)).length).toBe(0)
  })

  it('[A10] [A14] is asked to end first, as on this machine', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram })
    for (const agent of [scripted, remote(service, 'scripted')]) {
      const { connection } = await connect(agent)
      await linesOf(connection, () => true)
      await connection[Symbol.asyncDispose]()
      expect(await connection.exit).toEqual({ code: null, signal: 'SIGTERM', reason: null })
      await expect(connection.interrupt()).rejects.toThrow(/has exited and accepts no more messages/)
    }
  })

  it('[A10] [A14] ends when its reader has been gone too long, so that nothing is left when Dragoman dies', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService(
      { scripted: scriptedProgram },
      { readerMinutes: 0.01, beatSeconds: 0.2 },
    )
    const main = join(import.meta.dirname, '../../cli/main.ts')
    const folder = newFolder()
    const there = { kind: 'remote', url: service.url, agent: 'scripted', token: { file: service.tokenFile } }
    writeFileSync(join(folder, 'dragoman.json'), JSON.stringify({ agents: { there } }))
    const argv = [
      main,
      'run',
      '--agent',
      'there',
      '--data',
      folder,
      '--cwd',
      newFolder(),
      '--options',
      '{"pace":0}',
      'a hang',
    ]
    const dragoman = spawn(process.execPath, argv, { stdio: 'ignore' })
    await expect.poll(() => sessionsOf(service)).toContainEqual(expect.objectContaining({ lines: 2 }))
    const [{ pid } = { pid: 0 }] = await sessionsOf(service)
    dragoman.kill('SIGKILL')
    expect(isAlive(pid)).toBe(true)
    await expect.poll(() => isAlive(pid)).toBe(false)
    await expect.poll(async () => (await sessionsOf(service)).length).toBe(0)
  })

  it('[A10] [R2] may print lines that are too long for memory, and bytes that are not text', async context => {
    if (python === null) return context.skip(withoutPython)
    const script = join(newFolder(), 'loud.cjs')
    writeFileSync(
      script,
      `process.stdout.write(Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]))
      process.stdout.write('"' + 'long '.repeat(2e6) + '"\\n{"last":true}\\n')`,
    )
    const service = await startService({ acp: { argv: [process.execPath, script] } })
    const [here, there] = await Promise.all(
      [
        connect(acp, { options: { command: process.execPath, args: [script] } }),
        connect(remote(service, 'acp', { options: { command: 'x' } })),
      ].map(async connected => linesOf((await connected).connection, raw => raw.includes('last'))),
    )
    expect(there).toEqual(here)
    expect(there?.[0]).toHaveProperty('rawBytes')
    expect(there?.[1]?.rawFile?.bytes).toBe(10_000_002)
  })

  it('[A10] slows down without a reader, and loses nothing', async context => {
    if (python === null) return context.skip(withoutPython)
    const script = join(newFolder(), 'flood.cjs')
    writeFileSync(
      script,
      `const { writeSync } = require('node:fs')
      for (let at = 0; at < 40_000; at += 1) writeSync(1, JSON.stringify({ type: 'flood', at, fill: 'x'.repeat(400) }) + '\\n')
      setInterval(() => {}, 1e6)`,
    )
    const service = await startService(
      { 'claude-code': { argv: [process.execPath, script], args: true } },
      { waitingBytes: 1 << 20 },
    )
    const { connection } = await connect(remote(service, 'claude-code'))
    const counts: number[] = [0]
    const isHeld = async () => {
      counts.push((await sessionsOf(service))[0]?.events ?? 0)
      return counts.at(-1) !== 0 && counts.at(-1) === counts.at(-2)
    }
    await expect.poll(isHeld, { interval: 200 }).toBe(true)
    expect(counts.at(-1)).toBeLessThan(15_000)
    const lines = await linesOf(connection, raw => raw.includes('"at":39999,'))
    expect(lines.map(({ raw }) => (JSON.parse(raw) as { at: number }).at)).toEqual(
      Array.from({ length: 40_000 }, (_, at) => at),
    )
  })
})
