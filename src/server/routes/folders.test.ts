import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDragoman, type Opened } from '../dragoman.fixture.ts'

async function openWithFolders(): Promise<Opened> {
  const server = await openDragoman()
  const { root } = server
  for (const folder of ['work/one', 'work/two', 'work/.hidden'])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'work/file'), '')
  symlinkSync(join(root, 'work/one'), join(root, 'work/short-cut'))
  symlinkSync('/etc', join(root, 'work/outside'))
  symlinkSync(join(root, 'data'), join(root, 'work/to-data'))
  symlinkSync(root, join(root, 'work/above-data'))
  symlinkSync('loop', join(root, 'work/loop'))
  return server
}

it('[A17] without a path, names the default folder and the folders that agents may work in', async () => {
  await using server = await openWithFolders()
  expect((await server.call('listFolders', {})).json).toEqual({
    path: null,
    parent: null,
    folders: [],
    isCut: false,
    default: server.root,
    roots: [server.root],
  })
})

it('[A17] lists the folders in a folder by name, with the folder above', async () => {
  await using server = await openWithFolders()
  const { root } = server
  const { json } = await server.call('listFolders', { query: { path: join(root, 'work') } })
  expect(json).toMatchObject({ path: join(root, 'work'), parent: root, isCut: false })
  expect(json.folders.slice(0, 1)).toEqual([{ name: 'one', path: join(root, 'work/one') }])
  expect((await server.call('listFolders', { query: { path: root } })).json.parent).toBeNull()
})

it('[A17] [S11] shows neither what is outside the roots, nor the data folder, nor hidden folders', async () => {
  await using server = await openWithFolders()
  const { root } = server
  const { json } = await server.call('listFolders', { query: { path: join(root, 'work') } })
  expect(json.folders).toEqual([
    { name: 'one', path: join(root, 'work/one') },
    { name: 'short-cut', path: join(root, 'work/one') },
    { name: 'two', path: join(root, 'work/two') },
  ])
  const above = await server.call('listFolders', { query: { path: root } })
  expect(above.json.folders).toEqual([{ name: 'work', path: join(root, 'work') }])
})

it('[A17] [S11] refuses a folder outside the roots in the same way whether it exists or not', async () => {
  await using server = await openWithFolders()
  const { root } = server
  const wrong = [
    '/',
    '/etc',
    '/nowhere',
    '..',
    'work',
    `${root}/..`,
    `${root}/work/../..`,
    join(root, 'work/outside'),
    join(root, 'work/loop'),
    join(root, 'work/file'),
    join(root, 'data'),
    join(root, 'work/to-data'),
    join(root, 'work/above-data'),
    '/proc/self/root',
    `${root}\0`,
  ]
  for (const path of wrong) {
    const { status, json } = await server.call('listFolders', { query: { path } })
    expect([path, status, json]).toMatchObject([path, 403, { code: 'folder-not-allowed' }])
    expect(json).not.toHaveProperty('folders')
  }
  const empty = await server.call('listFolders', { query: { path: '' } })
  expect(empty.status).toBe(400)
})

it('[A17] [S11] a very full folder is listed only in part', async () => {
  await using server = await openDragoman()
  const full = join(server.root, 'full')
  for (let index = 0; index < 1005; index++) mkdirSync(join(full, `f${index}`), { recursive: true })
  const { json } = await server.call('listFolders', { query: { path: full } })
  expect([json.folders.length, json.isCut]).toEqual([1000, true])
})
