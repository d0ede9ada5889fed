import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { makeFolder as makeFolderLater } from '../../agents/kit/make-folder.ts'
import { prepareFolder } from './data-folder.ts'
import { makeFolder } from './make-folder.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-folder-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

describe.each([
  ['makeFolder', (path: string) => Promise.resolve(makeFolder(path, 0o700))],
  ['makeFolder of agents', (path: string) => makeFolderLater(path, 0o700)],
])('%s', (_, make) => {
  it('[S12] creates each missing level, readable by its owner only', async () => {
    const folder = newFolder()
    await make(join(folder, 'a/b/c'))
    await make(join(folder, 'a/b/c'))
    for (const path of ['a', 'a/b', 'a/b/c']) expect(statSync(join(folder, path)).mode & 0o777).toBe(0o700)
  })

  it('[S12] ends with an error below a file', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    await expect((async () => await make(join(file, 'a/b')))()).rejects.toThrow('ENOTDIR')
  })

  it.runIf(existsSync('/proc/self'))(
    '[S12] ends with an error where the file system does not allow new folders',
    async () => {
      await expect((async () => await make('/proc/dragoman/x'))()).rejects.toThrow('ENOENT')
    },
  )
})

it.runIf(existsSync('/proc/self'))(
  '[S12] a data folder that cannot be created is refused with a clear error',
  () => {
    expect(() => prepareFolder('/proc/x')).toThrow(
      /^The data folder \/proc\/x could not be created \(.*\)\. Choose another folder with --data\.$/,
    )
  },
)
