import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { signInSeed } from './sign-in-seed.ts'

it('[S11] a sign-out is stored in the data folder, readable only by its owner, and survives a restart', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  expect(signInSeed(folder).read()).toBe('')
  signInSeed(folder).write('one')
  signInSeed(folder).write('two')
  expect(signInSeed(folder).read()).toBe('two')
  expect(statSync(join(folder, 'sign-in')).mode & 0o777).toBe(0o600)
  expect(() => signInSeed(join(folder, 'gone')).write('x')).toThrow('gone')
})
