import { existsSync } from 'node:fs'
import { link, mkdir, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../harness.fixture.ts'
import { createBench, type Bench } from './place.fixture.ts'

const secret = 'the-token-of-this-server'

/** A session in a home folder with the default data folder. */
async function openHome(): Promise<Bench & { readonly data: string }> {
  const cwd = await newFolder()
  const data = join(cwd, '.local/share/dragoman')
  await mkdir(join(data, 'overflow'), { recursive: true })
  await writeFile(join(data, 'token'), secret)
  await writeFile(join(data, 'overflow/line'), secret)
  return { ...(await createBench({ cwd, dataFolder: data })), data }
}

const contents = async (folder: string) =>
  Promise.all(
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter(entry => entry.isFile())
      .map(async ({ parentPath, name }) => [
        relative(folder, join(parentPath, name)),
        await readFile(join(parentPath, name), 'utf8'),
      ]),
  )

/** Every way to a file in the data folder without a shell. */
async function waysIn({ cwd, data }: { readonly cwd: string; readonly data: string }) {
  await symlink(join(data, 'token'), join(cwd, 'linked-file'))
  await symlink(data, join(cwd, 'linked-folder'))
  await symlink('.local', join(cwd, 'linked-above'))
  await symlink('linked-folder', join(cwd, 'linked-twice'))
  await symlink(join(data, 'made'), join(cwd, 'linked-to-nothing'))
  await symlink('/proc/self/root', join(cwd, 'linked-root'))
  await symlink('/proc/self/cwd', join(cwd, 'linked-cwd'))
  await link(join(data, 'token'), join(cwd, 'hard-link'))
  await link(join(data, 'overflow/line'), join(cwd, 'hard-line'))
  return [
    '.local/share/dragoman/token',
    './.local/./share/dragoman/token',
    '.local/share/../share/dragoman/token',
    '.local/share/dragoman/overflow/../token',
    '.local/share/dragoman/overflow/line',
    '.local/share/dragoman/new-file',
    '.local/share/dragoman/new/folder/file',
    join(data, 'token'),
    `${data}//token`,
    'linked-file',
    'linked-folder/token',
    'linked-folder/overflow/line',
    'linked-folder/made',
    'linked-twice/token',
    'linked-above/share/dragoman/token',
    'linked-to-nothing',
    `linked-root${data}/token`,
    `/proc/self/root${data}/token`,
    `/proc/${process.pid}/root${data}/token`,
    '/proc/self/environ',
    '/dev/fd/0',
  ]
}

describe('the data folder', () => {
  it('[S11] is closed to read, write and edit, by every path that leads into it', async () => {
    const home = await openHome()
    const before = await contents(home.data)
    for (const path of await waysIn(home)) {
      const results = await Promise.allSettled([
        home.use('read', { path }),
        home.use('write', { path, content: 'x' }),
        home.use('edit', { path, old_string: secret, new_string: 'x' }),
      ])
      expect([path, ...results.map(({ status }) => status)]).toEqual([
        path,
        'rejected',
        'rejected',
        'rejected',
      ])
      expect(JSON.stringify(results)).not.toContain(secret)
    }
    expect(await contents(home.data)).toEqual(before)
  })

  it('[S11] is closed to a second name of one of its files: it is not read, and writing replaces it', async () => {
    const home = await openHome()
    await waysIn(home)
    for (const path of ['hard-link', 'hard-line']) {
      await expect(home.use('read', { path })).rejects.toThrow("Dragoman's data folder")
      await expect(home.use('edit', { path, old_string: secret, new_string: 'x' })).rejects.toThrow(
        "Dragoman's data folder",
      )
      await home.use('write', { path, content: 'mine' })
    }
    expect(await readFile(join(home.data, 'token'), 'utf8')).toBe(secret)
    expect(await readFile(join(home.data, 'overflow/line'), 'utf8')).toBe(secret)
    // A file with two names elsewhere is not secret.
    await writeFile(join(home.cwd, 'one'), 'both')
    await link(join(home.cwd, 'one'), join(home.cwd, 'two'))
    expect(await home.use('read', { path: 'two' })).toBe('both')
  })

  it('[S11] is closed to list and search, also when they come across it', async () => {
    const home = await openHome()
    await waysIn(home)
    await writeFile(join(home.cwd, 'note'), 'the-token-is-elsewhere')
    const folders = [
      '.local/share/dragoman',
      '.local/share/dragoman/overflow',
      'linked-folder',
      'linked-twice',
      'linked-above/share/dragoman',
      `/proc/self/root${home.data}`,
    ]
    for (const path of folders) {
      await expect(home.use('list', { path }), path).rejects.toThrow("Dragoman's data folder")
      await expect(home.use('search', { pattern: '.', path }), path).rejects.toThrow("Dragoman's data folder")
    }
    expect(await home.use('list', { path: '.local', depth: 20 })).toBe('share/\nshare/dragoman/')
    expect(await home.use('list', { pattern: '**/{token,line}' })).toBe(
      'Nothing in . matches **/{token,line}.',
    )
    expect(await home.use('search', { pattern: 'the-token' })).toBe('note:1:the-token-is-elsewhere')
    expect(await home.use('search', { pattern: 'the-token', path: 'hard-link' })).toBe('No matches.')
  })

  it('[S11] is closed to a session inside it', async () => {
    const { data } = await openHome()
    const bench = await createBench({ cwd: join(data, 'overflow'), dataFolder: data })
    await expect(bench.use('read', { path: 'line' })).rejects.toThrow("Dragoman's data folder")
    await expect(bench.use('list', {})).rejects.toThrow("Dragoman's data folder")
    await expect(bench.use('write', { path: 'mine', content: 'x' })).rejects.toThrow("Dragoman's data folder")
  })

  it('[S11] is closed while a folder is swapped for a link to it', async () => {
    const home = await openHome()
    const stop = new AbortController()
    const spot = join(home.cwd, 'd')
    const swap = async () => {
      while (!stop.signal.aborted) {
        await rm(spot, { recursive: true, force: true }).catch(() => undefined)
        await mkdir(spot).catch(() => undefined)
        await writeFile(join(spot, 'token'), 'mine').catch(() => undefined)
        await rm(spot, { recursive: true, force: true }).catch(() => undefined)
        await symlink(home.data, spot).catch(() => undefined)
      }
    }
    const swapper = swap()
    for (let tries = 0; tries < 150; tries += 1) {
      const read = await home.use('read', { path: 'd/token' }).catch(() => 'refused')
      expect(['mine', 'refused', '', 'x']).toContain(read)
      const listed = await home.use('list', { path: 'd', depth: 3 }).catch(() => 'refused')
      expect(JSON.stringify(listed)).not.toContain('overflow')
      await home.use('write', { path: 'd/token', content: 'x' }).catch(() => undefined)
      await home.use('write', { path: 'd/deep/er/file', content: 'x' }).catch(() => undefined)
    }
    stop.abort()
    await swapper
    expect(await readFile(join(home.data, 'token'), 'utf8')).toBe(secret)
    expect(existsSync(join(home.data, 'deep'))).toBe(false)
  })

  it('[S11] the rest of a home folder stays open', async () => {
    const home = await openHome()
    await home.use('write', { path: '.local/share/dragoman-notes/a', content: 'fine' })
    expect(await home.use('read', { path: '.local/share/dragoman-notes/a' })).toBe('fine')
    expect(await home.use('list', { path: '.local/share' })).toBe('dragoman/\ndragoman-notes/')
  })
})
