import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { replaceFile } from './replace-file.ts'

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-replace-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it('[X6] a file is replaced atomically, only its owner can read it, and no draft is left', async () => {
  const folder = join(await newFolder(), 'made', 'when needed')
  const file = join(folder, 'history.jsonl')
  await replaceFile(file, 'first')
  await replaceFile(file, 'second')
  expect(await readFile(file, 'utf8')).toBe('second')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['history.jsonl'])
})

it('[X6] a file that cannot be replaced stays as it was, the error is reported, and no draft is left', async () => {
  const folder = await newFolder()
  const taken = join(folder, 'history.jsonl')
  await mkdir(join(taken, 'content'), { recursive: true })
  await expect(replaceFile(taken, 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
  expect(await readdir(folder)).toEqual(['history.jsonl'])
  expect(await readdir(taken)).toEqual(['content'])
})
