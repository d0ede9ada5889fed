import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockFolder, ownerOf } from './folder-lock.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const file = join(import.meta.dirname, 'folder-lock.ts')

/** Runs a piece of code in a process of its own, on a folder. */
function elsewhere(folder: string, code: string): string {
  const source = `import { lockFolder, ownerOf } from ${JSON.stringify(file)}
    const folder = ${JSON.stringify(folder)}
    ${code}`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', source], {
    encoding: 'utf8',
  })
  return stdout + stderr
}

describe('the lock of a data folder', () => {
  it('[J9] tells others who has it and where, and lets one in when it is let go', () => {
    const folder = newFolder()
    expect(ownerOf(folder)).toBeNull()
    {
      using lock = lockFolder(folder, 'serve')
      const named = ownerOf(folder)
      expect(named).toMatchObject({ pid: process.pid, command: 'serve' })
      expect(named).not.toHaveProperty('url')
      lock.announce('http://127.0.0.1:1')
      expect(elsewhere(folder, 'console.log(ownerOf(folder).url)')).toBe('http://127.0.0.1:1\n')
      expect(elsewhere(folder, 'lockFolder(folder)')).toContain(
        `"dragoman serve", http://127.0.0.1:1) is using the data folder ${folder}.`,
      )
      for (const name of ['lock.db', 'owner.json'])
        expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    }
    expect(existsSync(join(folder, 'owner.json'))).toBe(false)
    expect(elsewhere(folder, 'using lock = lockFolder(folder); console.log(ownerOf(folder).pid > 0)')).toBe(
      'true\n',
    )
  })

  it('[J9] [R1] dies with its process, however that dies, and its name is not believed then', () => {
    const folder = newFolder()
    elsewhere(
      folder,
      "lockFolder(folder, 'serve').announce('http://127.0.0.1:1'); process.kill(process.pid, 'SIGKILL')",
    )
    const left = readFileSync(join(folder, 'owner.json'), 'utf8')
    expect(left).toContain('http://127.0.0.1:1')
    expect(ownerOf(folder)).toBeNull()
    using _lock = lockFolder(folder)
    // As in the moment in which the new owner has not yet written its name.
    writeFileSync(join(folder, 'owner.json'), left)
    expect(ownerOf(folder)).toEqual({})
  })

  it('[J9] whoever only looks never makes one who wants it fail', async () => {
    const folder = newFolder()
    const source = `import { ownerOf } from ${JSON.stringify(file)}
      const end = Date.now() + 1500
      while (Date.now() < end) ownerOf(${JSON.stringify(folder)})`
    const looking = Array.from({ length: 3 }, () =>
      once(spawn(process.execPath, ['--input-type=module-typescript', '-e', source]), 'close'),
    )
    const end = Date.now() + 1500
    while (Date.now() < end) {
      lockFolder(folder)[Symbol.dispose]()
      await wait(5)
    }
    expect((await Promise.all(looking)).map(([code]) => code as unknown)).toEqual([0, 0, 0])
  })
})
