import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../process.fixture.ts'
import { agentFaults } from '../configured-agents.ts'
import { readConfiguration, type FlagTexts } from './configuration.ts'
import { defaultFolder } from './configuration.ts'

function read(flags: FlagTexts, env: Readonly<Record<string, string>> = {}, cwd = newFolder()) {
  return readConfiguration(flags, { env: { HOME: cwd, ...env }, cwd })
}

describe('configuration', () => {
  it('[O4] no error repeats a value of an agent, or anything that looks like a key', async () => {
    const path = join(newFolder(), 'settings.json')
    const secret = 'S3CRET-0123456789abcdef'
    const key = 'sk-ant-api03-abcdefghijklmnop'
    const wrong = [
      { agents: { 'bad name': { kind: 'remote', token: secret } } },
      { agents: secret },
      { agents: [secret] },
      { agents: { a: secret } },
      { agents: { a: { kind: secret } } },
      { agents: { a: { kind: 'remote', url: secret, agent: { secret }, token: 7 } } },
      { agents: { a: { kind: 'remote', url: 'http://127.0.0.1:1', agent: secret, token: { env: 'T' } } } },
      {
        agents: { a: { kind: 'remote', url: 'http://127.0.0.1:1', agent: 'codex', token: { env: secret } } },
      },
      { agents: { a: { kind: 'remote', [key]: 1 } } },
      { agents: { a: { kind: 'model', provider: 'openai-compatible', model: 'm', baseUrl: secret } } },
      { agents: { a: { kind: 'model', provider: 'openai', model: 'm', baseUrl: `http://h/v1#${secret}` } } },
      { agents: { a: { kind: 'model', provider: secret, model: [secret] } } },
      { agents: { a: { kind: 'model', provider: 'openai', model: 'm', headers: secret } } },
      { token: [secret] },
      { durability: key },
      { port: { nested: { password: secret } } },
      { host: ['x'.repeat(300), secret] },
    ]
    const texts = wrong.map(each => JSON.stringify(each))
    // Text that is not JSON is not repeated either: the message of the parser would quote a piece of it.
    for (const text of [
      ...texts,
      `{"agents":{"a":{"token":${secret}}}}`,
      `{"token": "${secret}",}`,
      secret,
    ]) {
      writeFileSync(path, text)
      let message: string
      try {
        message = (await agentFaults(read({ config: path }))).join(' ')
      } catch (error) {
        message = (error as Error).message
      }
      expect(message, text).toMatch(/settings\.json|agents\.a/)
      expect(message, text).not.toMatch(/S3CRET|sk-ant/)
    }
  })

  it('[O4] reads a file with a byte order mark', () => {
    const path = join(newFolder(), 'settings.json')
    writeFileSync(path, '\uFEFF{"maxRunning":3}')
    expect(read({ config: path }).maxRunning).toBe(3)
  })

  it('[O4] works without settings', () => {
    const cwd = newFolder()
    expect(readConfiguration({}, { env: { HOME: cwd }, cwd })).toEqual({
      data: defaultFolder({ HOME: cwd }),
      agent: null,
      durability: 'full',
      maxRunning: 8,
      idleMinutes: 5,
      approvalMinutes: 1440,
      port: null,
      host: '127.0.0.1',
      token: null,
      roots: null,
      allowHosts: [],
      routes: {},
      agents: {},
      open: true,
      context: null,
      strategies: [],
      prices: {},
      followTranscripts: null,
      log: null,
    })
  })

  it('[O4] options override the environment, then the named file, then the file in the data folder', () => {
    const folder = newFolder()
    const named = join(newFolder(), 'mine.json')
    const set = (maxRunning: number) =>
      JSON.stringify({ maxRunning, agent: maxRunning === 1 ? 'codex' : 'opencode', durability: 'fast' })
    writeFileSync(join(folder, 'dragoman.json'), set(1))
    expect(read({ data: folder }).maxRunning).toBe(1)
    writeFileSync(named, set(2))
    expect(read({ data: folder, config: named }).maxRunning).toBe(2)
    const env = { DRAGOMAN_MAX_RUNNING: '3', DRAGOMAN_CONFIG: named, DRAGOMAN_DATA: folder }
    expect(read({}, env)).toMatchObject({ maxRunning: 3, agent: 'opencode', data: folder })
    expect(read({ 'max-running': '4' }, env)).toMatchObject({ maxRunning: 4, durability: 'fast' })
  })

  it('[O4] a relative path starts at the folder of its source', () => {
    const cwd = newFolder()
    mkdirSync(join(cwd, 'etc'))
    writeFileSync(join(cwd, 'etc', 'd.json'), '{"data":"store"}')
    expect(read({ config: 'etc/d.json' }, {}, cwd).data).toBe(join(cwd, 'etc', 'store'))
    expect(read({ data: 'store' }, {}, cwd).data).toBe(join(cwd, 'store'))
  })

  it('[X3] paths of custom strategies start at the folder of their source, and an error names a wrong field', () => {
    const cwd = newFolder()
    const file = join(cwd, 'd.json')
    writeFileSync(file, JSON.stringify({ strategies: [{ tool: 'mcp__db__query', custom: 'mine.mjs' }] }))
    expect(read({ config: file }).strategies).toEqual([
      { tool: 'mcp__db__query', custom: join(cwd, 'mine.mjs') },
    ])
    writeFileSync(file, JSON.stringify({ strategies: [{ tool: 'x', age: { seconds: -1 } }] }))
    expect(() => read({ config: file })).toThrow(/"strategies\.0\.age/)
    writeFileSync(file, JSON.stringify({ strategies: [{ tool: 'x', tyop: 1 }] }))
    expect(() => read({ config: file })).toThrow('"strategies.0.tyop" in')
  })

  it('[O4] reads lists, numbers and booleans from every source', () => {
    const cwd = newFolder()
    const file = join(cwd, 'd.json')
    writeFileSync(file, '{"roots":["a","/b"],"allowHosts":["me:80"],"open":false,"port":0,"log":"json"}')
    expect(read({ config: file }, {}, cwd)).toMatchObject({
      roots: [join(cwd, 'a'), '/b'],
      allowHosts: ['me:80'],
      open: false,
      port: 0,
      log: 'json',
    })
    const env = {
      DRAGOMAN_ROOTS: '/x:y',
      DRAGOMAN_ALLOW_HOSTS: 'one, two:1',
      DRAGOMAN_OPEN: 'true',
      DRAGOMAN_PORT: '81',
      DRAGOMAN_APPROVAL_MINUTES: '0.5',
    }
    expect(read({ config: file }, env, cwd)).toMatchObject({
      roots: ['/x', join(cwd, 'y')],
      allowHosts: ['one', 'two:1'],
      open: true,
      port: 81,
      approvalMinutes: 0.5,
    })
    expect(read({ root: ['r', 's'], 'allow-host': ['three'], port: '82' }, env, cwd)).toMatchObject({
      roots: [join(cwd, 'r'), join(cwd, 's')],
      allowHosts: ['three'],
      port: 82,
    })
  })

  it('[A13] routes are pairs of a first word and an agent, in a file, in the environment and as options', () => {
    const file = join(newFolder(), 'mine.json')
    writeFileSync(file, JSON.stringify({ routes: { '@codex': 'codex' } }))
    expect(read({ config: file }).routes).toEqual({ '@codex': 'codex' })
    const env = { DRAGOMAN_ROUTES: '@o=opencode, @c=codex' }
    expect(read({}, env).routes).toEqual({ '@o': 'opencode', '@c': 'codex' })
    expect(read({ route: ['!=claude-code'] }, env).routes).toEqual({ '!': 'claude-code' })
    expect(() => read({ route: ['@codex'] })).toThrow('"routes" from the option --route must be an object')
    writeFileSync(file, JSON.stringify({ routes: { 'two words': 'codex' } }))
    expect(() => read({ config: file })).toThrow(`"routes" from ${file} must be an object`)
  })

  it('[A10] agents on other machines are set in a file; a token file may be relative to it', async () => {
    const folder = newFolder()
    const file = join(folder, 'mine.json')
    const there = {
      kind: 'remote',
      url: 'http://127.0.0.1:4500',
      agent: 'claude-code',
      token: { file: 'token' },
    }
    const refused = (more: object, name = 'there') => {
      writeFileSync(file, JSON.stringify({ agents: { [name]: { ...there, ...more } } }))
      return expect(() => read({ config: file }))
    }
    const faults = async (more: object, name = 'there') => {
      writeFileSync(file, JSON.stringify({ agents: { [name]: { ...there, ...more } } }))
      return (await agentFaults(read({ config: file }))).join('\n')
    }
    writeFileSync(file, JSON.stringify({ agents: { there } }))
    expect(read({ config: file }).agents).toEqual({
      there: { ...there, token: { file: join(folder, 'token') } },
    })
    expect(await faults({ url: 'four' })).toContain(
      `"agents.there.url" from ${file} must be the URL of a service, such as http://127.0.0.1:4500.`,
    )
    expect(await faults({ token: 'secret' })).toContain(
      `"agents.there.token" from ${file} must be the place of the token`,
    )
    expect(await faults({ token: 'secret' })).not.toContain('secret')
    expect(await faults({ kind: 'near' })).toContain('"agents.there.kind"')
    expect(await faults({ port: 1 })).toContain(`"agents.there.port" in ${file} is not a setting.`)
    refused({}, 'two words').toThrow(`"agents.two words" from ${file} must be agents by name`)
    expect(await faults({}, 'codex')).toContain(
      '"agents.codex" needs a different name: this one is already in use.',
    )
    expect(await faults({ agent: 'opencode' })).toContain('if it supports ACP, use "acp"')
  })

  it('[O4] refuses a token that is empty or short, and does not repeat it', () => {
    for (const token of ['', 'short', 'with a blank in between', 'ünder-the-limit-of-ascii'])
      for (const [flags, env] of [
        [{ token }, {}],
        [{}, { DRAGOMAN_TOKEN: token }],
      ] as const) {
        const attempt = () => read(flags, env)
        expect(attempt).toThrow('must be at least 16 visible ASCII characters')
        if (token !== '') expect(attempt).not.toThrow(token)
      }
    expect(read({ token: '0123456789abcdef' }).token).toBe('0123456789abcdef')
  })

  it('[O4] never repeats a value that looks like a key, in any setting', () => {
    const file = join(newFolder(), 'mine.json')
    const key = 'sk-ant-api03-0123456789abcdefghij'
    const written = (settings: object) => {
      writeFileSync(file, JSON.stringify(settings))
      return () => read({ config: file })
    }
    for (const attempt of [
      written({ agent: key }),
      written({ routes: { '@x': key } }),
      written({ routes: { [key]: 'nobody' } }),
      written({ [key]: 1 }),
      written({ agents: { [`my ${key}`]: {} } }),
      () => read({ route: [`@x=${key}`] }),
      () => read({}, { DRAGOMAN_AGENT: key }),
    ]) {
      expect(attempt).toThrow()
      expect(attempt).not.toThrow(key)
    }
  })

  it('[O4] uses the default folder for application data of the system', () => {
    expect(defaultFolder({ HOME: '/h', XDG_DATA_HOME: '/x' }, 'linux')).toBe('/x/dragoman')
    expect(defaultFolder({ HOME: '/h', XDG_DATA_HOME: 'x' }, 'linux')).toBe('/h/.local/share/dragoman')
    expect(defaultFolder({ HOME: '/h' }, 'darwin')).toBe('/h/Library/Application Support/dragoman')
  })

  it('[O4] an error names the key, the source and the reason', () => {
    const folder = newFolder()
    const path = join(folder, 'dragoman.json')
    const refused = (text: string) => {
      writeFileSync(path, text)
      return expect(() => read({ data: folder }))
    }
    refused('{"maxRuning":1}').toThrow(
      `"maxRuning" in ${path} is not a setting. Available settings: data, agent,`,
    )
    refused('{"durability":"slow"}').toThrow(
      `"durability" from ${path} must be "full" or "fast", not "slow".`,
    )
    refused('{"maxRunning":0.5}').toThrow('must be a whole number, 1 or more, not 0.5.')
    refused('[1]').toThrow(`${path} must contain one JSON object`)
    refused('{').toThrow(`The settings in ${path} are not valid JSON`)
    refused('{"data":"/x"}').toThrow('"data" in')
    expect(() => read({}, { DRAGOMAN_IDLE_MINUTES: 'soon' })).toThrow(
      '"idleMinutes" from DRAGOMAN_IDLE_MINUTES in the environment must be a number of minutes, 0 or more, not "soon".',
    )
    expect(() => read({ 'max-running': '0' })).toThrow('"maxRunning" from the option --max-running must be')
    expect(() => read({ port: '65536' })).toThrow('must be a port from 0 to 65535 (0 picks a free one)')
    expect(() => read({ 'allow-host': ['http://me'] })).toThrow(
      '"allowHosts" from the option --allow-host must',
    )
    expect(() => read({}, { DRAGOMAN_OPEN: 'yes' })).toThrow('must be true or false, not "yes".')
    expect(() => read({ config: '/nowhere.json' })).toThrow('Cannot read the settings in /nowhere.json')
  })
})
