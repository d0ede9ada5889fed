import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { askProgram } from './ask-program.ts'
import { identifyProcess } from './process-identity.ts'
import { programPath } from './program-path.ts'

/** Puts a shell script into a new folder, which is the only one on the PATH besides the system's. */
function place(script: string, mode = 0o755) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-ask-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'tool')
  writeFileSync(path, script, { mode })
  return { path, folder, env: { PATH: `${folder}:/usr/bin:/bin` } }
}

const quick = { quietMs: 400, mostMs: 1_500 }
const isAlive = (pid: number) => identifyProcess(pid)?.alive === true
const pidsIn = (text: string) => text.trim().split(/\s+/).map(Number)

describe('running a program for an answer', () => {
  it('[A12] returns its output, also if it fails', async () => {
    const { env } = place('#!/bin/sh\necho "tool 1.2.3 $1"\necho hm >&2\nexit 4\n')
    expect(await askProgram('tool', ['--version'], env)).toEqual({
      type: 'answered',
      out: 'tool 1.2.3 --version\n',
      code: 4,
      path: expect.stringMatching(/tool$/) as string,
      lastWord: 'hm',
    })
  })

  it('[A12] distinguishes a missing program from a broken one, with the reason', async () => {
    const { env, folder } = place('#!/nowhere/sh\n')
    expect(await askProgram('other', [], env)).toEqual({ type: 'missing' })
    expect(await askProgram('tool', [], env)).toMatchObject({
      type: 'broken',
      path: join(folder, 'tool'),
      why: 'the program in its first line does not exist',
    })
    const killed = place('#!/bin/sh\necho one >&2\necho two >&2\nkill -9 $$\n')
    expect(await askProgram('tool', [], killed.env)).toMatchObject({
      type: 'broken',
      why: 'it was killed by SIGKILL: two',
    })
    expect(await askProgram('tool', [], place('echo no', 0o644).env)).toEqual({ type: 'missing' })
  })

  it.each([
    ['sleeps', 'echo $$ > "$0.pid"\nsleep 6666 &\necho $! >> "$0.pid"\nsleep 6667'],
    [
      'ignores to be ended',
      'trap "" TERM INT\necho $$ > "$0.pid"\nsetsid sleep 6668 &\necho $! >> "$0.pid"\nwhile :; do sleep 55; done',
    ],
  ])('[A12] [A14] one that %s is given up soon, with all that it started', async (_, body) => {
    const { env, path } = place(`#!/bin/sh\n${body}\n`)
    const limits = { quietMs: 400, mostMs: 60_000 }
    const began = performance.now()
    const asked = await askProgram('tool', ['--version'], env, limits)
    expect(asked).toMatchObject({ type: 'broken', why: 'it did not answer within 0.4 seconds' })
    expect(performance.now() - began).toBeLessThan(limits.mostMs)
    const pids = pidsIn(readFileSync(`${path}.pid`, 'utf8'))
    expect(pids).toHaveLength(2)
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  it('[A14] ends the processes that it leaves running, without waiting for them', async () => {
    const { env, path } = place('#!/bin/sh\nsleep 6669 &\necho $! > "$0.pid"\necho 1.0.0\n')
    expect(await askProgram('tool', [], env, quick)).toMatchObject({ type: 'answered', out: '1.0.0\n' })
    const pids = pidsIn(readFileSync(`${path}.pid`, 'utf8'))
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
  })

  it('[A12] gives a busy program more time, up to a limit, and does not keep a flood of output', async () => {
    const slow = place('#!/bin/sh\ni=0\nwhile [ $i -lt 400000 ]; do i=$((i+1)); done\necho 2.0.0\n')
    const patient = { quietMs: 200, mostMs: 30_000 }
    expect(await askProgram('tool', [], slow.env, patient)).toMatchObject({ type: 'answered' })
    const flood = place('#!/bin/sh\nexec yes\n')
    expect(await askProgram('tool', [], flood.env, quick)).toMatchObject({ type: 'broken' })
    const endless = place('#!/bin/sh\nwhile :; do :; done\n')
    const asked = await askProgram('tool', [], endless.env, { quietMs: 800, mostMs: 1_000 })
    expect(asked).toMatchObject({ type: 'broken', why: 'it did not answer within 1 seconds' })
  })

  it('[A12] finds a program on the PATH, or by its path', async () => {
    const { path, env } = place('#!/bin/sh\n')
    expect(await programPath('tool', env)).toBe(path)
    expect(await programPath(path, {})).toBe(path)
    expect(await programPath('tool', {})).toBeNull()
    expect(await programPath(tmpdir(), {})).toBeNull()
  })
})
