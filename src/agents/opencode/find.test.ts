import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { find } from './find.ts'
import { inheritedNames } from './program.ts'
import { pretendOpenCode } from './program.fixture.ts'

async function found(version: string) {
  const home = pretendOpenCode(`process.stdout.write(${JSON.stringify(version)})`)
  return await find({ PATH: process.env['PATH'], DRAGOMAN_OPENCODE: join(home, 'opencode'), HOME: home })
}

describe('finding OpenCode', () => {
  it('[A12] reports the version, and whether it was tested', async () => {
    expect(await found('1.18.33')).toMatchObject({ status: 'ready', version: '1.18.33', advice: null })
    expect((await found('1.2.0')).advice).toContain('older than the tested versions')
    expect((await found('2.0.0')).advice).toContain('newer than the tested versions')
  })

  it('[A12] says what to install when it is missing, and reports when it prints no version', async () => {
    const missing = { status: 'missing', version: null, advice: 'Install it: npm install -g opencode-ai' }
    expect(await find({ DRAGOMAN_OPENCODE: '/nowhere/opencode' })).toEqual(missing)
    expect(await found('no number here')).toMatchObject({ status: 'ready', version: null })
  })

  it('[R3] it gets its own settings and keys of models, and no other variables', () => {
    const names = ['OPENCODE_CONFIG', 'OPENAI_API_KEY', 'AWS_REGION', 'https_proxy']
    const others = ['OPENCODE_SERVER_PASSWORD', 'STRIPE_API_KEY', 'DATABASE_URL', 'GITHUB_TOKEN']
    const environment = Object.fromEntries([...names, ...others].map(name => [name, 'x']))
    expect(inheritedNames(environment)).toEqual(names)
  })
})
