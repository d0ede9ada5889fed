import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lockFolder, ownerOf } from './folder-lock.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const file = join(import.meta.dirname, 'folder-lock.ts')

/** Runs code in a separate process, with a folder. */
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
  it('[J9] names its owner and address to other processes, and can be taken after its release', () => {
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

  it('[J9] [R1] ends with its process, however that ends, and its owner file is ignored then', () => {
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

  it.each([
    ['garbage', 'this is no database, and longer than the header of one. '.repeat(40)],
    ['a header and garbage', `SQLite format 3\0${'x'.repeat(5000)}`],
    ['nothing', ''],
  ])('[R5] a lock file of %s is repaired by the process that takes it', (_, content) => {
    const folder = newFolder()
    writeFileSync(join(folder, 'lock.db'), content)
    expect(ownerOf(folder)).toBeNull()
    using _lock = lockFolder(folder, 'serve')
    expect(ownerOf(folder)).toMatchObject({ pid: process.pid })
    expect(elsewhere(folder, 'lockFolder(folder)')).toContain('is using the data folder')
  })

  it('[J9] [R5] a lock that is overwritten while a process has it stays with that process', () => {
    const folder = newFolder()
    using _lock = lockFolder(folder, 'serve')
    elsewhere(folder, "require('node:fs').writeFileSync(folder + '/lock.db', 'garbage '.repeat(999))")
    expect(elsewhere(folder, 'lockFolder(folder)')).toContain('is using the data folder')
    expect(elsewhere(folder, 'console.log(ownerOf(folder).command)')).toBe('serve\n')
  })

  it('[R5] a lock file that cannot be opened gives an error that says what to do', () => {
    const folder = newFolder()
    mkdirSync(join(folder, 'lock.db'))
    const sentence = `The lock file ${join(folder, 'lock.db')} cannot be opened. Delete it and try again; your data is in other files.`
    expect(() => lockFolder(folder)).toThrow(sentence)
    expect(() => ownerOf(folder)).toThrow(sentence)
  })

  it('[J9] a process that only reads the lock never makes another fail to take it', async () => {
    const folder = newFolder()
    const stop = join(folder, 'stop')
    const source = `import { existsSync } from 'node:fs'
      import { ownerOf } from ${JSON.stringify(file)}
      console.log('looking')
      while (!existsSync(${JSON.stringify(stop)})) ownerOf(${JSON.stringify(folder)})`
    const lookers = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module-typescript', '-e', source]),
    )
    onTestFinished(() => lookers.forEach(looker => looker.kill()))
    const ends = lookers.map(looker => once(looker, 'close'))
    await Promise.all(lookers.map(({ stdout }) => once(stdout, 'data')))
    for (let times = 0; times < 200; times += 1) {
      lockFolder(folder)[Symbol.dispose]()
      await setImmediate()
    }
    writeFileSync(stop, '')
    expect((await Promise.all(ends)).map(([code]) => code as unknown)).toEqual([0, 0, 0])
  })
})
