import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type os from 'node:os'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { watchActivity } from './group-activity.ts'
import { findMarked, markName } from './marked-processes.ts'
import { identifyProcess } from './process-identity.ts'

vi.mock('node:os', async original => ({
  ...(await original<typeof os>()),
  platform: () => 'darwin',
}))

/** A `ps` that prints a given output in the format of macOS, and records its arguments. */
let ps: { prints(text: string): void; asked(): string }

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-ps-'))
  const program = join(folder, 'ps')
  const output = join(folder, 'output')
  const asked = join(folder, 'asked')
  // Like the real one, it fails when it finds nothing.
  writeFileSync(program, `#!/bin/sh\necho "$*" > '${asked}'\ntest -s '${output}' && cat '${output}'\n`)
  chmodSync(program, 0o700)
  writeFileSync(output, '')
  ps = {
    prints: text => writeFileSync(output, text),
    asked: () => readFileSync(asked, 'utf8').trim(),
  }
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
})

it('[A14] macOS: a process is identified by its start time, so a reused number is another process', () => {
  ps.prints('Ss   Wed Nov 18 09:12:44 2026\n')
  const first = identifyProcess(4242)
  expect(first).toEqual({ startedAt: 'Wed Nov 18 09:12:44 2026', alive: true })
  expect(ps.asked()).toBe('-o stat=,lstart= -p 4242')
  ps.prints('Ss   Wed Nov 18 10:00:01 2026\n')
  expect(identifyProcess(4242)?.startedAt).not.toBe(first?.startedAt)
})

it('[A14] macOS: a zombie is not alive, and a process that has ended is not found', () => {
  ps.prints('Z    Wed Nov 18 09:12:44 2026\n')
  expect(identifyProcess(4242)).toMatchObject({ alive: false })
  ps.prints('')
  expect(identifyProcess(4242)).toBeUndefined()
})

it('[A14] macOS: finds every process that inherited the mark, except this one', () => {
  ps.prints(
    [
      `  501 /bin/sh -c build ${markName}=mine PATH=/bin`,
      `  502 node server.js ${markName}=other PATH=/bin`,
      `  503 sleep 600 HOME=/Users/a ${markName}=mine`,
      `  ${process.pid} node ${markName}=mine`,
      `    1 launchd ${markName}=mine`,
      '  504 vim',
      '',
    ].join('\n'),
  )
  expect(findMarked('mine')).toEqual([501, 503])
})

it('[A14] macOS: a group is active while it computes or could run, and quiet when only others do', () => {
  const isActive = watchActivity(77)
  const looks = (...lines: readonly string[]) => {
    ps.prints(lines.map(line => `${line}\n`).join(''))
    return isActive()
  }
  expect(looks('   77 S      0:01.25', '   78 R      0:09.00')).toBe(true)
  expect(looks('   77 S      0:01.26', '   78 R      0:19.00')).toBe(false)
  expect(looks('   77 S      0:01.20', '   77 S      0:00.09')).toBe(true)
  expect(looks('   77 S      0:01.20', '   77 R+     0:00.09')).toBe(true)
  // Minutes, not only seconds, count.
  expect(looks('   77 S      1:01.20', '   77 S      0:00.09')).toBe(true)
  expect(looks('   77 S      1:01.20', '   77 S      0:00.09')).toBe(false)
})

it('[A14] macOS: when processes cannot be listed, a slow program is given more time and no process is ended', () => {
  vi.stubEnv('PATH', '/nowhere')
  expect(watchActivity(77)()).toBe(true)
  expect(findMarked('mine')).toEqual([])
  expect(identifyProcess(4242)).toBeUndefined()
})
