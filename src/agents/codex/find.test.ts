import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { find } from './find.ts'
import { pretendCodex } from './program.fixture.ts'

/** The readiness of a program that prints a version. */
async function found(version: string, more: Readonly<Record<string, string>> = {}) {
  const home = pretendCodex(`process.stdout.write(${JSON.stringify(version)})`)
  return await find({ PATH: process.env['PATH'], DRAGOMAN_CODEX: join(home, 'codex'), HOME: home, ...more })
}

describe('finding Codex', () => {
  it('[A12] reports the version, and how to log in', async () => {
    expect(await found('codex-cli 0.166.0')).toMatchObject({ status: 'needs-login', version: '0.166.0' })
    expect(await found('codex-cli 0.166.0', { CODEX_API_KEY: 'dummy' })).toMatchObject({
      status: 'ready',
      version: '0.166.0',
      age: 'tested',
      isLoggedIn: true,
      advice: null,
    })
  })

  it('[A12] only checks whether a login exists', async () => {
    const folder = pretendCodex('process.stdout.write("codex-cli 0.166.2")')
    mkdirSync(join(folder, 'login'))
    writeFileSync(join(folder, 'login/auth.json'), 'never read', { mode: 0o000 })
    const environment = {
      PATH: process.env['PATH'],
      DRAGOMAN_CODEX: join(folder, 'codex'),
      CODEX_HOME: join(folder, 'login'),
    }
    expect(await find(environment)).toMatchObject({ status: 'ready', version: '0.166.2' })
  })

  it('[A12] reports a version that was not tested', async () => {
    const key = { OPENAI_API_KEY: 'dummy' }
    expect((await found('0.98.1', key)).advice).toContain('older than the tested versions')
    expect((await found('0.170.0', key)).advice).toContain('newer than the tested versions')
    expect((await found('1.0.0', key)).advice).toContain('newer than the tested versions')
    expect((await found('0.98.1')).advice).toMatch(/codex login.*older/)
  })

  it('[A12] says what to install if it is missing, and reports an unknown version', async () => {
    const missing = { status: 'missing', version: null, advice: 'Install it: npm install -g @openai/codex' }
    expect(await find({ DRAGOMAN_CODEX: '/nowhere/codex' })).toEqual(missing)
    expect(await found('no number here')).toMatchObject({ status: 'needs-login', version: null })
  })
})
