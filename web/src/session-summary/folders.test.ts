import { expect, it } from 'vitest'
import { folderName, foldersOf, projectName } from './folders.ts'

it('[W1] folders are listed once, in alphabetical order', () => {
  expect(foldersOf([{ cwd: '/b' }, { cwd: '/a' }, { cwd: '/b' }])).toEqual(['/a', '/b'])
})

it('[W1] a folder is shown by its last name', () => {
  expect(folderName('/home/ada/engine/')).toBe('engine')
  expect(folderName('C:\\work\\engine')).toBe('engine')
  expect(folderName('/')).toBe('/')
})

it('[W1] a project is shown by its folder and the folder around it', () => {
  expect(projectName('/home/ada/engine/app')).toBe('engine/app')
  expect(projectName('C:\\work\\engine\\')).toBe('work/engine')
  expect(projectName('/srv')).toBe('srv')
  expect(projectName('/')).toBe('/')
})
