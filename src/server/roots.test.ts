import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDragoman } from './dragoman.fixture.ts'
import { createFolderCheck } from './roots.ts'

function newFolders() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'dragoman-roots-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const root = join(base, 'root')
  mkdirSync(join(root, 'inside', 'deep'), { recursive: true })
  mkdirSync(join(base, 'root-other'))
  mkdirSync(join(base, 'outside'))
  return { base, root, check: createFolderCheck([root]) }
}

describe('where agents may work', () => {
  it('[S11] is a root, and all that lies in it, by its real path', async () => {
    const { root, check } = newFolders()
    symlinkSync(join(root, 'inside', 'deep'), join(root, 'short-cut'))
    expect(await check(root)).toBe(root)
    expect(await check(`${root}/`)).toBe(root)
    expect(await check(join(root, 'inside'))).toBe(join(root, 'inside'))
    expect(await check(`${root}/inside/../inside/./deep`)).toBe(join(root, 'inside', 'deep'))
    expect(await check(join(root, 'short-cut'))).toBe(join(root, 'inside', 'deep'))
  })

  it('[S11] is nowhere else', async () => {
    const { base, root, check } = newFolders()
    writeFileSync(join(root, 'file'), '')
    symlinkSync('/etc', join(root, 'link'))
    symlinkSync('loop', join(root, 'loop'))
    const wrong = [
      '/',
      '/etc',
      base,
      `${root}/..`,
      `${root}/inside/../../outside`,
      `${root}-other`,
      join(root, 'link'),
      join(root, 'loop'),
      join(root, 'file'),
      join(root, 'nowhere'),
      `${root}\0`,
      `\0`,
      relative(process.cwd(), root),
      '.',
      '..',
      '',
      '~',
      '/proc/self/root',
      '/proc/self/cwd/../..',
      String.raw`\\host\share`,
      `${root}/${'x/'.repeat(3000)}`,
    ]
    for (const cwd of wrong)
      await expect(check(cwd), cwd).rejects.toMatchObject({
        code: 'folder-not-allowed',
        message: expect.stringContaining(`that exists in ${root}`) as string,
      })
  })

  it('[S11] a link that is swapped afterwards leads nowhere', async () => {
    const { base, root, check } = newFolders()
    const link = join(root, 'link')
    symlinkSync(join(root, 'inside'), link)
    expect(await check(link)).toBe(join(root, 'inside'))
    rmSync(link)
    symlinkSync(join(base, 'outside'), link)
    await expect(check(link)).rejects.toMatchObject({ code: 'folder-not-allowed' })
  })

  it('[S11] a root may be a link, or everything, or not there yet', async () => {
    const { base, root } = newFolders()
    symlinkSync(root, join(base, 'linked'))
    expect(await createFolderCheck([join(base, 'linked')])(join(root, 'inside'))).toBe(join(root, 'inside'))
    expect(await createFolderCheck(['/'])(root)).toBe(root)
    expect(await createFolderCheck([join(base, 'later'), root])(root)).toBe(root)
    await expect(createFolderCheck([])(root)).rejects.toMatchObject({ code: 'folder-not-allowed' })
  })

  it('[W1] whoever names no folder works in the first root where the usual one is none', async () => {
    await using opened = await openDragoman({ defaultFolder: '/' })
    const { id } = (await opened.call('createSession', { body: {} })).json
    const { cwd } = (await opened.call('getSession', { params: { session: id } })).json
    expect(cwd).toBe(opened.root)
  })
})
