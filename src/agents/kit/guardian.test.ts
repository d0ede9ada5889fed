import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { identifyProcess } from './process-identity.ts'

const isAlive = (pid: number) => identifyProcess(pid)?.alive === true

/** Starts a process that starts an agent, and returns the pids of all processes. */
async function startHouse(end: 'waits' | 'leaves') {
  const dataFolder = mkdtempSync(join(tmpdir(), 'dragoman-guardian-'))
  onTestFinished(() => rmSync(dataFolder, { recursive: true, force: true }))
  const program = `
    import { startChild } from ${JSON.stringify(join(import.meta.dirname, 'child-process.ts'))}
    const command = 'trap "" TERM; setsid sleep 7655 & echo $$ $!; wait'
    const child = startChild({
      command: '/bin/sh', args: ['-c', command], cwd: '/', dataFolder: ${JSON.stringify(dataFolder)},
      signal: new AbortController().signal, grace: 200,
    })
    for await (const piece of child.output) {
      process.stdout.write(piece)
      if (${JSON.stringify(end)} === 'leaves') await child[Symbol.asyncDispose]()
    }`
  const house = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void house.kill('SIGKILL'))
  const ended = new Promise(resolve => house.once('exit', resolve))
  const text = await new Promise<string>(resolve =>
    house.stdout.once('data', piece => resolve(String(piece))),
  )
  const pids = text.trim().split(' ').map(Number)
  expect(pids).toHaveLength(2)
  return { house, pids, ended }
}

it.runIf(platform() === 'linux')(
  '[A14] the processes of an agent end soon after this process, even if it is killed',
  async () => {
    const { house, pids } = await startHouse('waits')
    expect(pids.filter(isAlive)).toEqual(pids)
    house.kill('SIGKILL')
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  },
)

it('[A14] the guardian does not keep this process alive', async () => {
  const { pids, ended } = await startHouse('leaves')
  expect(await ended).toBe(0)
  expect(pids.filter(isAlive)).toEqual([])
})
