import { expect, it } from 'vitest'
import { isWithin, PathRefused, refuseClosedPath } from './data-folder.ts'

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

it('[R3] everything is within the root folder, and a folder is within itself', () => {
  expect(isWithin('/', '/a/b')).toBe(true)
  expect(isWithin('/a', '/a')).toBe(true)
  expect(isWithin('/a', '/ab')).toBe(false)
})
