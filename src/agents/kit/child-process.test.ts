import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Child, ChildOptions } from '../program.ts'
import { startChild } from './child-process.ts'
import { identifyProcess } from './process-identity.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-child-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a Node program given as text, and ends it with the test. */
async function run(program: string, more: Partial<ChildOptions> = {}): Promise<Child> {
  const child = startChild({
    command: process.execPath,
    args: ['-e', program],
    cwd: tmpdir(),
    dataFolder: await newFolder(),
    signal: new AbortController().signal,
    grace: 300,
    ...more,
  })
  onTestFinished(() => child[Symbol.asyncDispose]())
  return child
}

const isAlive = (pid: number) => identifyProcess(pid)?.alive === true

async function firstLine(child: Child): Promise<string> {
  for await (const piece of child.output) return Buffer.from(piece).toString().trim()
  return ''
}

async function firstPiece(log: AsyncIterable<string>): Promise<string> {
  for await (const piece of log) return piece
  return ''
}

describe('child process', () => {
  it('[A14] returns its output, its log and its exit', async () => {
    const child = await run(`console.log('out'); console.error('bad luck'); process.exitCode = 3`)
    expect(await text(child.output)).toBe('out\n')
    expect(await text(child.logs)).toBe('bad luck\n')
    expect(await child.exit).toEqual({ code: 3, signal: null, reason: 'bad luck' })
  })

  it('[R3] gets harmless, named and given variables, never all of ours', async () => {
    vi.stubEnv('MY_SECRET', 'hidden')
    vi.stubEnv('MY_KEY', 'shared')
    vi.stubEnv('LC_TIME', 'C')
    vi.stubEnv('LC_SECRET_X', 'secret')
    vi.stubEnv('LC_', 'secret')
    onTestFinished(() => void vi.unstubAllEnvs())
    const child = await run(`console.log(JSON.stringify(process.env))`, {
      inherit: ['MY_KEY'],
      env: { GIVEN: '1' },
    })
    const env = JSON.parse(await text(child.output)) as Record<string, string>
    expect(env).toMatchObject({ MY_KEY: 'shared', GIVEN: '1', LC_TIME: 'C', PATH: process.env['PATH'] })
    expect(Object.keys(env).filter(name => /^LC_($|SECRET)/.test(name))).toEqual([])
    expect(env).not.toHaveProperty('MY_SECRET')
    expect(Object.keys(env)).not.toContain('VITEST')
  })

  it('[R3] starts no shell', async () => {
    const child = await run('', { args: ['-p', 'process.argv[1]', '$(echo pwned); `id`'] })
    expect(await text(child.output)).toBe('$(echo pwned); `id`\n')
  })

  it('[A14] reports a missing program or folder in a sentence', async () => {
    const missing = await run('', { command: 'no-such-agent' })
    expect((await missing.exit).reason).toMatch(/"no-such-agent" was not found. Install it/)
    expect(missing.pid).toBeNull()
    expect(await text(missing.output)).toBe('')
    expect(await text(missing.logs)).toBe('')
    await expect(missing.write('x')).rejects.toMatchObject({ code: 'agent-unavailable' })
    const nowhere = await run('', { cwd: '/no/such/folder' })
    expect((await nowhere.exit).reason).toBe('The folder /no/such/folder does not exist.')
    const odd = await run('', { command: 'nul\0byte' })
    expect((await odd.exit).reason).toMatch(/could not be started/)
  })

  it('[A14] is recorded while it runs, and its record is deleted when it ends', async () => {
    const dataFolder = await newFolder()
    const child = await run(`setInterval(() => {}, 1e6); console.log('up')`, { dataFolder })
    await firstLine(child)
    const [file] = await readdir(join(dataFolder, 'processes'))
    const record = JSON.parse(await readFile(join(dataFolder, 'processes', file ?? ''), 'utf8')) as unknown
    expect(record).toMatchObject({ pid: child.pid, group: child.pid, command: process.execPath })
    await child[Symbol.asyncDispose]()
    expect(await readdir(join(dataFolder, 'processes'))).toEqual([])
  })

  it('[A14] ends when asked, and is killed if it does not react', async () => {
    const polite = await run(
      `process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1e6); console.log('up')`,
    )
    await firstLine(polite)
    await polite[Symbol.asyncDispose]()
    expect(await polite.exit).toMatchObject({ code: 7 })
    const deaf = await run(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('up')`)
    await firstLine(deaf)
    const started = performance.now()
    await deaf[Symbol.asyncDispose]()
    expect(await deaf.exit).toMatchObject({ signal: 'SIGKILL' })
    expect(performance.now() - started).toBeGreaterThan(250)
    expect(isAlive(deaf.pid ?? 0)).toBe(false)
  })

  it('[A14] ends when its signal is aborted, and never starts if it already was', async () => {
    const controller = new AbortController()
    const child = await run(`setInterval(() => {}, 1e6); console.log('up')`, { signal: controller.signal })
    await firstLine(child)
    controller.abort()
    expect(await child.exit).toMatchObject({ signal: 'SIGTERM' })
    const late = await run(`console.log('up')`, { signal: controller.signal })
    expect(await late.exit).toMatchObject({ code: null, reason: 'It was cancelled before it started.' })
  })

  const grandchild = (options: string) =>
    `const { spawn } = require('node:child_process')
     const deaf = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); process.stderr.write('deaf')"
     const child = spawn(process.execPath, ['-e', deaf], ${options})
     console.log(child.pid)`

  it('[A14] ends together with its grandchildren, also if they ignore signals and outlive it', async () => {
    const child = await run(
      `${grandchild("{ stdio: 'inherit' }")}; process.stdin.on('data', () => process.exit(0))`,
    )
    const pid = Number(await firstLine(child))
    expect(await firstPiece(child.logs)).toBe('deaf')
    expect(isAlive(pid)).toBe(true)
    await child.write('go')
    expect(await child.exit).toMatchObject({ code: 0 })
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('[A14] ends together with processes that left its group, also if it was killed itself', async () => {
    const program = `${grandchild("{ stdio: 'inherit', detached: true }")}; setInterval(() => {}, 1e6)`
    for (const end of [
      (child: Child) => void process.kill(child.pid ?? 0, 'SIGKILL'),
      (child: Child) => void child[Symbol.asyncDispose](),
    ]) {
      const child = await run(program)
      const pid = Number(await firstLine(child))
      expect(await firstPiece(child.logs)).toBe('deaf')
      expect(isAlive(pid)).toBe(true)
      end(child)
      await child.exit
      await expect.poll(() => isAlive(pid)).toBe(false)
    }
  })

  it('[A14] ends its output even if a process that we cannot identify as ours keeps the pipe open', async () => {
    const child = await run(`${grandchild("{ stdio: 'inherit', detached: true, env: {} }")}; process.exit(0)`)
    const output = await text(child.output)
    const pid = Number(output.trim())
    process.kill(pid, 'SIGKILL')
    expect(pid).toBeGreaterThan(1)
    expect(await child.exit).toMatchObject({ code: 0 })
  })

  it('[A14] never loses output before the exit, also with a slow reader', async () => {
    const child = await run(`process.stdout.write('x'.repeat(200_000), () => process.exit(0))`)
    let length = 0
    for await (const piece of child.output) {
      if (length === 0) await sleep(1_200)
      length += piece.length
    }
    expect(length).toBe(200_000)
  })

  it('[A14] never loses output before the exit, also if it is read only afterwards', async () => {
    const child = await run(`console.log('out')`)
    await child.exit
    await setImmediate()
    expect(await text(child.output)).toBe('out\n')
  })

  it('[R2] survives a child that closes its input', async () => {
    const child = await run(
      `require('node:fs').closeSync(0); console.log('closed'); setInterval(() => {}, 1e6)`,
    )
    await firstLine(child)
    for (let at = 0; at < 5; at += 1) await child.write('x'.repeat(100_000))
    await child[Symbol.asyncDispose]()
    await expect(child.write('more')).rejects.toMatchObject({ code: 'agent-unavailable' })
  })

  it('[R4] waits for a child that does not read its input, but not longer than the child lives', async () => {
    const child = await run(`console.log('up'); setInterval(() => {}, 1e6)`)
    await firstLine(child)
    let taken = false
    const writing = child.write('x'.repeat(1_000_000)).then(() => (taken = true))
    for (let turn = 0; turn < 20; turn += 1) await setImmediate()
    expect(taken).toBe(false)
    await child[Symbol.asyncDispose]()
    expect(await writing).toBe(true)
  })

  it('[R4] makes the child wait while its output is not read', async () => {
    const folder = await newFolder()
    const progress = join(folder, 'progress')
    const child = await run(
      `const fs = require('node:fs')
       for (let at = 1; at <= 64; at++) { fs.writeSync(1, 'x'.repeat(65536)); fs.writeFileSync(${JSON.stringify(progress)}, String(at)) }`,
    )
    const counts: number[] = [0]
    const isHeld = async () => {
      counts.push(existsSync(progress) ? Number(await readFile(progress, 'utf8')) : 0)
      return counts.at(-1) !== 0 && counts.at(-1) === counts.at(-2)
    }
    await expect.poll(isHeld, { interval: 100 }).toBe(true)
    expect(counts.at(-1)).toBeLessThan(10)
    expect((await text(child.output)).length).toBe(64 * 65_536)
  })

  it('[R4] does not wait for a reader of its log, and the log does not grow', async () => {
    const child = await run(
      `const fs = require('node:fs'); for (let at = 0; at < 300; at++) fs.writeSync(2, 'e'.repeat(65536)); console.log('done')`,
    )
    expect(await text(child.output)).toBe('done\n')
    await child.exit
    expect((await text(child.logs)).length).toBeLessThan(100_000)
  })
})
