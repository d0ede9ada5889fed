import { link, mkdir, mkdtemp, open, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openFileWithin } from './confined.ts'
import { isWithin, PathRefused, refuseClosedFile, refuseClosedPath, type Reach } from './data-folder.ts'

const reach = { cwd: '/', dataFolder: '/no/such/home/dragoman' }

it.each(['/proc', '/proc/self/environ', '/proc/1/root/etc', '/no/such/home/dragoman/token'])(
  '[R3] a session in the root folder may not use %s',
  async path => {
    await expect(refuseClosedPath(reach, path)).rejects.toBeInstanceOf(PathRefused)
  },
)

it.each(['/processes/list', '/no/such/home/dragoman-notes', '/no/such/home'])(
  '[R3] a session in the root folder may use %s',
  async path => {
    await expect(refuseClosedPath(reach, path)).resolves.toBeUndefined()
  },
)

/** A session in a folder that contains the data folder. */
async function openHome(): Promise<Reach> {
  const cwd = await mkdtemp(join(tmpdir(), 'data-folder-'))
  onTestFinished(() => rm(cwd, { recursive: true, force: true }))
  const dataFolder = join(cwd, 'data')
  await mkdir(dataFolder)
  await writeFile(join(dataFolder, 'token'), 'secret')
  return { cwd, dataFolder }
}

it('[S11] a hard link that is deleted before the check still counts as a name of the file', async () => {
  const home = await openHome()
  const name = join(home.cwd, 'name')
  await link(join(home.dataFolder, 'token'), name)
  await using file = await open(name)
  await rm(name)
  await expect(refuseClosedFile(home, file)).rejects.toBeInstanceOf(PathRefused)
  await writeFile(name, 'mine')
  await using other = await open(name)
  await rm(name)
  await expect(refuseClosedFile(home, other)).resolves.toBeUndefined()
})

it('[S11] the files of the data folder are found while its folders are created and deleted', async () => {
  const home = await openHome()
  const stop = new AbortController()
  const churn = async (folder: string) => {
    while (!stop.signal.aborted) {
      await mkdir(join(folder, 'a/b/c'), { recursive: true }).catch(() => undefined)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
    }
  }
  const churning = ['x', 'y', 'z'].map(name => churn(join(home.dataFolder, name)))
  await link(join(home.dataFolder, 'token'), join(home.cwd, 'name'))
  for (let tries = 0; tries < 200; tries += 1)
    await expect(openFileWithin({ ...home }, 'name')).rejects.toBeInstanceOf(PathRefused)
  stop.abort()
  await Promise.all(churning)
})

it('[S11] a folder that a link in the data folder leads to, as on another disk, is refused', async () => {
  const home = await openHome()
  const disk = join(home.cwd, 'disk')
  await mkdir(disk)
  await writeFile(join(disk, 'line'), 'secret')
  await symlink(disk, join(home.dataFolder, 'overflow'))
  await expect(openFileWithin(home, 'disk/line')).rejects.toBeInstanceOf(PathRefused)
})

it('[R3] everything is within the root folder, and a folder is within itself', () => {
  expect(isWithin('/', '/a/b')).toBe(true)
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/a', '/ab')).toBe(false)
})
