import { describe, expect, it } from 'vitest'
import { find } from './find.ts'
import { install } from './parrot.fixture.ts'

/** Finds a program with this output. */
async function findOne(version: string, status: string, code = 0) {
  install(`process.stdout.write(process.argv[2] === 'auth' ? ${JSON.stringify(status)} : ${JSON.stringify(version)})
    process.exitCode = process.argv[2] === 'auth' ? ${code} : 0`)
  return await find()
}

const yes = '{"loggedIn": true}'

describe('finding Claude Code', () => {
  it('[A12] reports that it is ready, and its version', async () => {
    expect(await findOne('2.1.325 (Claude Code)\n', yes)).toEqual({
      status: 'ready',
      version: '2.1.325',
      tested: '2.1.300 up to but not including 2.2.0',
      age: 'tested',
      isLoggedIn: true,
      advice: null,
    })
  })

  it('[A12] says how to log in when it reports that no user is logged in', async () => {
    const found = {
      status: 'needs-login',
      version: '2.1.325',
      isLoggedIn: false,
      advice: 'Run: claude auth login',
    }
    expect(await findOne('2.1.325', '{"loggedIn": false}')).toMatchObject(found)
    expect(await findOne('2.1.325', '{"loggedIn": false}', 1)).toMatchObject(found)
  })

  it('[A12] treats one that cannot report its login as ready, and warns of untested versions', async () => {
    expect((await findOne('2.1.325', 'unknown command', 1)).status).toBe('ready')
    expect((await findOne('2.0.14', yes)).advice).toMatch(
      /older than the tested versions .* Run: claude update/,
    )
    expect((await findOne('3.0.0', yes)).advice).toMatch(/newer than the tested versions/)
    expect(await findOne('what?', yes)).toMatchObject({ status: 'ready', version: null, advice: null })
  })

  it('[A12] distinguishes a program that cannot be run from a missing one, with the reason', async () => {
    install(`process.stderr.write('Not as root!\\n'); process.exitCode = 3`)
    expect(await find()).toMatchObject({
      status: 'broken',
      advice: expect.stringMatching(
        /cannot be run: it failed with exit code 3: Not as root!\. Try .*claude/,
      ) as string,
    })
  })

  it('[A12] says what to install when it is missing', async () => {
    const environment = { PATH: '/nowhere' }
    expect(await find(environment)).toEqual({
      status: 'missing',
      version: null,
      advice: 'Install it: npm install -g @anthropic-ai/claude-code',
    })
  })
})
