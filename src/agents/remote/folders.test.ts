import { expect, it } from 'vitest'
import { folderThere } from './folders.ts'

it('[A10] a folder maps to the other machine by the longest matching pair, or to the same path', () => {
  const folders = { '/home/me': '/srv', '/home/me/code/': '/work/' }
  expect(folderThere(folders, '/home/me')).toBe('/srv')
  expect(folderThere(folders, '/home/me/notes')).toBe('/srv/notes')
  expect(folderThere(folders, '/home/me/code/one')).toBe('/work/one')
  expect(folderThere(folders, '/home/me2')).toBe('/home/me2')
  expect(folderThere(folders, '/home/me/..two')).toBe('/srv/..two')
  expect(folderThere({}, '/x')).toBe('/x')
})
