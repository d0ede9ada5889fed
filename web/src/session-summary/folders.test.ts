import { expect, it } from 'vitest'
import { folderName, foldersOf } from './folders.ts'

it('[W1] folders are listed once, in alphabetical order', () => {
  expect(foldersOf([{ cwd: '/b' }, { cwd: '/a' }, { cwd: '/b' }])).toEqual(['/a', '/b'])
})

it('[W1] a folder is shown by its last name', () => {
  expect(folderName('/home/ada/engine/')).toBe('engine')
  expect(folderName('C:\\work\\engine')).toBe('engine')
  expect(folderName('/')).toBe('/')
})
