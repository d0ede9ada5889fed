import { describe, expect, it } from 'vitest'
import { readinessOf, versionIn, versionOf } from './readiness.ts'

const program = {
  isLoggedIn: null,
  tested: { from: '1.18.0', below: '1.20' },
  update: 'Update it.',
  login: 'Log in.',
}
const judge = (version: string | null, isLoggedIn: boolean | null = null) =>
  readinessOf({ ...program, version, isLoggedIn })

describe('whether a program can be used', () => {
  it('[A12] a version that was tried is ready, and says which were', () => {
    const tested = '1.18.0 up to, but not including, 1.20'
    expect(judge('1.18.0')).toEqual({
      status: 'ready',
      version: '1.18.0',
      tested,
      age: 'tested',
      advice: null,
    })
    expect(judge('1.19.99', true)).toMatchObject({ age: 'tested', isLoggedIn: true, advice: null })
    expect(judge(null)).toEqual({ status: 'ready', version: null, tested, advice: null })
  })

  it('[A12] too old and too new are said, with what to do', () => {
    for (const version of ['1.17.200', '1.2.0', '0.99.0'])
      expect(judge(version)).toMatchObject({ status: 'ready', age: 'older' })
    expect(judge('1.17.0').advice).toMatch(/older than what was tested .* Update it\.$/)
    for (const version of ['1.20.0', '1.20.0-beta.1', '2.0.0'])
      expect(judge(version)).toMatchObject({ age: 'newer' })
    expect(judge('2.0.0').advice).toMatch(/newer than what was tested/)
  })

  it('[A12] without a login it says how to log in, before all else', () => {
    expect(judge('1.18.1', false)).toMatchObject({
      status: 'needs-login',
      isLoggedIn: false,
      advice: 'Log in.',
    })
    expect(judge('1.0.0', false).advice).toMatch(/^Log in\. It is older/)
  })

  it('[A12] a version is read from whatever is around it; a program that hangs or fails has none', async () => {
    expect(versionIn('codex-cli 0.166.0-alpha.2 (x)')).toBe('0.166.0-alpha.2')
    expect(versionIn('no number')).toBeNull()
    expect(await versionOf('/nowhere/at/all', {})).toBeNull()
    expect(await versionOf('false', { PATH: '/usr/bin:/bin' })).toBeNull()
  })
})
