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
  return { base, root, check: createFolderCheck([root], join(base, 'data')) }
}

describe('the folders that agents may work in', () => {
  it('[S11] are the roots and the folders in them, by their real paths', async () => {
    const { root, check } = newFolders()
    symlinkSync(join(root, 'inside', 'deep'), join(root, 'short-cut'))
    expect(await check(root)).toBe(root)
    expect(await check(`${root}/`)).toBe(root)
    expect(await check(join(root, 'inside'))).toBe(join(root, 'inside'))
    expect(await check(`${root}/inside/../inside/./deep`)).toBe(join(root, 'inside', 'deep'))
    expect(await check(join(root, 'short-cut'))).toBe(join(root, 'inside', 'deep'))
  })

  it('[S11] do not include other folders', async () => {
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
        message: expect.stringContaining(`an existing folder in ${root}`) as string,
      })
  })

  it('[S11] stay the same if a link is swapped afterwards', async () => {
    const { base, root, check } = newFolders()
    const link = join(root, 'link')
    symlinkSync(join(root, 'inside'), link)
    expect(await check(link)).toBe(join(root, 'inside'))
    rmSync(link)
    symlinkSync(join(base, 'outside'), link)
    await expect(check(link)).rejects.toMatchObject({ code: 'folder-not-allowed' })
  })

  it('[S11] may have a root that is a link, that is `/`, or that does not exist yet', async () => {
    const { base, root } = newFolders()
    const data = join(base, 'data')
    symlinkSync(root, join(base, 'linked'))
    expect(await createFolderCheck([join(base, 'linked')], data)(join(root, 'inside'))).toBe(
      join(root, 'inside'),
    )
    expect(await createFolderCheck(['/'], data)(root)).toBe(root)
    expect(await createFolderCheck([join(base, 'later'), root], data)(root)).toBe(root)
    await expect(createFolderCheck([], data)(root)).rejects.toMatchObject({ code: 'folder-not-allowed' })
  })

  it('[S11] never include the data folder, through any link', async () => {
    const { root } = newFolders()
    const data = join(root, 'share', 'dragoman')
    mkdirSync(join(data, 'overflow', 'deep'), { recursive: true })
    symlinkSync(data, join(root, 'to-data'))
    symlinkSync(join(data, 'overflow'), join(root, 'inside', 'to-overflow'))
    symlinkSync(join(root, 'share'), join(root, 'to-above'))
    symlinkSync(root, join(root, 'inside', 'to-root'))
    const check = createFolderCheck([root], data)
    const closed = [
      data,
      `${data}/`,
      `${root}/inside/../share/dragoman`,
      join(data, 'overflow'),
      join(data, 'overflow', 'deep'),
      join(root, 'to-data'),
      join(root, 'to-data', 'overflow'),
      join(root, 'inside', 'to-overflow'),
      join(root, 'inside', 'to-overflow', 'deep'),
      join(root, 'to-above'),
      join(root, 'to-above', 'dragoman'),
      join(root, 'inside', 'to-root'),
      `/proc/self/root${root}`,
      `/proc/self/root${data}`,
    ]
    for (const cwd of closed)
      await expect(check(cwd), cwd).rejects.toMatchObject({
        code: 'folder-not-allowed',
        message: expect.stringContaining("Dragoman's data folder") as string,
      })
    // Folders above the data folder are allowed, as a home folder is one. The user who started the server allowed a root that is a link.
    expect(await check(root)).toBe(root)
    expect(await check(join(root, 'share'))).toBe(join(root, 'share'))
    const linked = join(root, 'inside', 'to-root')
    expect(await createFolderCheck([linked], data)(linked)).toBe(root)
    expect(await check(join(root, 'inside'))).toBe(join(root, 'inside'))
    mkdirSync(join(root, 'share', 'dragoman-other'))
    expect(await check(join(root, 'share', 'dragoman-other'))).toBe(join(root, 'share', 'dragoman-other'))
  })

  it('[W1] default to the first root if the usual folder is not allowed', async () => {
    await using opened = await openDragoman({ defaultFolder: '/' })
    const { id } = (await opened.call('createSession', { body: {} })).json
    const { cwd } = (await opened.call('getSession', { params: { session: id } })).json
    expect(cwd).toBe(opened.root)
  })
})
