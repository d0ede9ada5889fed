import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findMarked, markName } from './marked-processes.ts'
import { identifyProcess } from './process-identity.ts'
import { endOrphans, registerProcess } from './process-registry.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-registry-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

function sleeper(env: NodeJS.ProcessEnv = process.env): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
    detached: true,
    env,
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

async function writeRecord(dataFolder: string, name: string, record: unknown): Promise<void> {
  await mkdir(join(dataFolder, 'processes'), { recursive: true })
  await writeFile(
    join(dataFolder, 'processes', name),
    typeof record === 'string' ? record : JSON.stringify(record),
  )
}

const isAlive = (pid: number) => identifyProcess(pid)?.alive === true
const left = (dataFolder: string) => readdir(join(dataFolder, 'processes'))

describe('process registry', () => {
  it('[A14] ends the agent of a killed server, with grandchildren that ignore signals', async () => {
    const dataFolder = await newFolder()
    const module = new URL('./child-process.ts', import.meta.url).href
    const agent = `const { spawn } = require('node:child_process')
      const deaf = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('deaf')"])
      deaf.stdout.once('data', () => console.log(process.pid, deaf.pid)); setInterval(() => {}, 1e6)`
    const server = `import { startChild } from ${JSON.stringify(module)}
      const child = startChild({ command: process.execPath, args: ['-e', ${JSON.stringify(agent)}], cwd: '/',
        dataFolder: ${JSON.stringify(dataFolder)}, signal: new AbortController().signal })
      for await (const piece of child.output) console.log(String(piece))`
    const host = spawn(process.execPath, ['--input-type=module-typescript', '-e', server], {
      // A guardian without its tools ends nothing, so that only the registry is tested.
      env: { PATH: '/nowhere' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(host.stdout, 'data')) as [Buffer]
    const pids = line.toString().trim().split(' ').map(Number)
    host.kill('SIGKILL')
    await once(host, 'exit')
    expect(pids.map(isAlive)).toEqual([true, true])
    const orphans = await endOrphans(dataFolder, 300)
    expect(orphans).toMatchObject([{ record: { pid: pids[0] }, outcome: 'killed' }])
    expect(pids.map(isAlive)).toEqual([false, false])
    expect(await left(dataFolder)).toEqual([])
  })

  it('[A14] ends a process that reacts to a signal without killing it', async () => {
    const dataFolder = await newFolder()
    const pid = sleeper()
    registerProcess(dataFolder, { pid, command: 'sleeper' })
    expect(await endOrphans(dataFolder)).toMatchObject([{ outcome: 'ended', record: { command: 'sleeper' } }])
    expect(isAlive(pid)).toBe(false)
  })

  it('[A14] ends processes of an agent in separate sessions, even if the agent is gone', async () => {
    const dataFolder = await newFolder()
    const mark = randomUUID()
    const pid = sleeper({ ...process.env, [markName]: mark })
    const record = { pid: 999_999, group: 999_999, startedAt: 'long ago', command: 'gone', mark }
    await writeRecord(dataFolder, '999999.json', record)
    await expect.poll(() => findMarked(mark)).toEqual([pid])
    expect(await endOrphans(dataFolder)).toMatchObject([{ outcome: 'ended', record: { command: 'gone' } }])
    expect(isAlive(pid)).toBe(false)
  })

  it('[A14] does not touch another process that reuses the pid of one of ours', async () => {
    const dataFolder = await newFolder()
    const pid = sleeper()
    const record = { pid, group: pid, startedAt: 'another boot 12345', command: 'ours' }
    await writeRecord(dataFolder, `${pid}.json`, record)
    expect(await endOrphans(dataFolder, 100)).toMatchObject([{ outcome: 'gone' }])
    expect(isAlive(pid)).toBe(true)
    expect(await left(dataFolder)).toEqual([])
  })

  it('[A14] never signals groups 0 and 1, nor a group that its leader does not lead', async () => {
    const dataFolder = await newFolder()
    const pid = sleeper()
    const other = sleeper()
    const startedAt = identifyProcess(pid)?.startedAt
    await writeRecord(dataFolder, 'a.json', {
      pid: 1,
      group: 1,
      startedAt: identifyProcess(1)?.startedAt,
      command: '',
    })
    await writeRecord(dataFolder, 'b.json', { pid: 0, group: 0, startedAt: '', command: '' })
    await writeRecord(dataFolder, 'c.json', { pid, group: other, startedAt, command: '' })
    const outcomes = (await endOrphans(dataFolder, 100)).map(({ outcome }) => outcome)
    expect(outcomes.toSorted()).toEqual(['gone', 'unreadable', 'unreadable'])
    expect([pid, other].map(isAlive)).toEqual([true, true])
  })

  it('[R2] deletes files that are not valid records', async () => {
    const dataFolder = await newFolder()
    await writeRecord(dataFolder, 'garbage.json', '{"pid":')
    await writeRecord(dataFolder, 'other.txt', { pid: 'x' })
    await mkdir(join(dataFolder, 'processes', 'folder'))
    const outcomes = (await endOrphans(dataFolder)).map(({ outcome }) => outcome)
    expect(outcomes).toEqual(['unreadable', 'unreadable', 'unreadable'])
    expect(await left(dataFolder)).toEqual([])
    expect(await endOrphans(join(dataFolder, 'nowhere'))).toEqual([])
  })

  it('[A14] treats a zombie as ended', async () => {
    const dataFolder = await newFolder()
    const parent = spawn('sh', ['-c', 'setsid sleep 0.2 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString().trim())
    registerProcess(dataFolder, { pid, command: 'zombie' })
    await expect.poll(() => identifyProcess(pid)).toMatchObject({ alive: false })
    const graceMs = 30_000
    const started = performance.now()
    expect(await endOrphans(dataFolder, graceMs)).toMatchObject([{ outcome: 'gone' }])
    expect(performance.now() - started).toBeLessThan(graceMs)
  })
})
