import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { defaultFolder } from './configuration/configuration.ts'
import { newFolder } from './process.fixture.ts'
import { runHere } from './shell.fixture.ts'

describe('the command line', () => {
  it.each([
    [['--nonsense'], 'Unknown option \'--nonsense\'. See "dragoman serve --help".'],
    [['nonsense'], 'Unknown command "nonsense". Available commands: serve, open, run, sessions,'],
    [['--data', 'x', 'run'], 'Put a command before "--data".'],
    [['run'], 'PROMPT is missing. See "dragoman run --help".'],
    [['run', ' '], 'The prompt is empty.'],
    [['run', 'hello', 'world'], 'Unexpected argument "world".'],
    [['run', '--nonsense', 'x'], "Unknown option '--nonsense'."],
    [['run', 'x', '--data'], "Option '--data <value>' argument missing."],
    [['run', '--json=yes', 'x'], "Option '--json' does not take an argument."],
    [['tail'], 'SESSION is missing.'],
    [['tail', 'x', '--after', '-1'], '--after must be a whole number, not "-1".'],
    [['tail', 'x', '--after', '--raw'], "Option '--after' argument is ambiguous."],
    [['tail', 'x', '--after', 'x'], '--after must be a whole number, not "x".'],
    [['replay', 'x', '--speed', 'fast'], '--speed must be a number or "max", not "fast".'],
    [['replay', 'x', '--speed', '-1'], '--speed must be a number or "max", not "-1".'],
    [['sessions', '--limit', '0'], '--limit must be 1 or more.'],
    [['sessions', '--status', 'asleep'], '--status must be idle, running, waiting or failed, not "asleep".'],
    [['translate'], '--agent is missing.'],
    [['translate', '--agent', 'scripted', '--as', 'prose'], '--as must be chunks or messages, not "prose".'],
    [['translate', '--agent', 'scripted', '--dialect', 'v5'], '--dialect must be portable or v7'],
    [['verify', '--durability', 'full'], "Unknown option '--durability'."],
    [
      ['run', '--durability', 'slow', 'x'],
      '"durability" from the option --durability must be "full" or "fast"',
    ],
  ])('[O3] refuses %j with a sentence and 2', async (args, sentence) => {
    const { code, out, err } = await runHere(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })

  it('[O3] has help for all commands and each command, and a version', async () => {
    const { code, out } = await runHere(['--help'])
    expect(code).toBe(0)
    const names = [...out.matchAll(/^ {2}([a-z]+) /gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(7)
    for (const name of names) {
      const help = await runHere([name, '--help'])
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out).toContain(`Usage: dragoman ${name}`)
      expect(help.out).toContain('--json')
      expect((await runHere(['help', name])).out).toBe(help.out)
    }
    expect((await runHere(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it('[R2] reports something unknown with its code, and exits with 1', async () => {
    const data = newFolder()
    for (const name of ['tail', 'replay', 'rebuild']) {
      const { code, out, err } = await runHere([name, 'nobody', '--data', data, '--json'])
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(JSON.parse(err)).toEqual({
        code: 'unknown-session',
        message: 'There is no session nobody. List them with "dragoman sessions".',
      })
    }
    const agent = await runHere(['run', '--agent', 'nobody', '--data', data, '--json', 'x'])
    expect(agent.code).toBe(2)
    expect(JSON.parse(agent.err)).toMatchObject({ code: 'unknown-agent' })
    const served = await runHere(['serve', '--agent', 'nobody', '--port', '0', '--no-open', '--data', data])
    expect(served.code).toBe(2)
    expect(served.err).toContain('There is no agent "nobody".')
    const key = 'sk-ant-api03-0123456789abcdefghij'
    const secret = await runHere(['run', '--agent', key, '--data', data, 'x'])
    expect(secret.err).toContain('There is no agent "[redacted]".')
    const imported = await runHere(['import', '--agent', 'nobody', '--data', data, '--json'])
    expect([imported.code, imported.err]).toEqual([2, expect.stringContaining('unknown-agent')])
    const prompted = await runHere(['run', '--session', 'no body', '--data', data, 'x'])
    expect(prompted.code).toBe(2)
    expect(prompted.err).toContain('"no body" is not a session id')
  })

  it('[O4] every command refuses an unknown agent in the settings and routes', async () => {
    const data = newFolder()
    const commands = [['sessions'], ['tail', 'x'], ['run', 'x'], ['verify'], ['import']]
    const refused = async (settings: object, key: string) => {
      writeFileSync(join(data, 'dragoman.json'), JSON.stringify(settings))
      for (const command of commands) {
        const { code, out, err } = await runHere([...command, '--data', data], {
          env: { DRAGOMAN_AGENT: '' },
        })
        expect({ command, code, out }).toEqual({ command, code: 2, out: '' })
        expect(err).toContain(`"${key}" must be the name of an agent, not "`)
        expect(err.length).toBeLessThan(600)
      }
    }
    await refused({ agent: 'nobody' }, 'agent')
    await refused({ agent: 'x'.repeat(10_000) }, 'agent')
    await refused({ agent: '\ud800' }, 'agent')
    await refused({ routes: { '@x': 'nobody' } }, 'routes.@x')
    writeFileSync(join(data, 'dragoman.json'), '{}')
    const routed = await runHere(['run', '--route', '@x=nobody', '--data', data, 'x'])
    expect([routed.code, routed.err]).toEqual([2, expect.stringContaining('"routes.@x" must be')])
  })

  it('[R2] reports a data folder that cannot be used', async () => {
    const folder = newFolder()
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const command of [['run', 'x'], ['sessions'], ['tail', 'x'], ['verify']])
      for (const data of [file, join(file, 'data')]) {
        const { code, err } = await runHere([...command, '--json', '--data', data])
        expect([command, code, JSON.parse(err)]).toEqual([
          command,
          2,
          {
            code: 'invalid-input',
            message: `${file} is a file, not a folder. Choose another data folder with --data.`,
          },
        ])
      }
    const system = await runHere(['run', '--json', '--data', '/sys/dragoman', 'x'])
    expect(system.code).toBe(1)
    expect(['folder-read-only', 'save-failed']).toContain((JSON.parse(system.err) as { code: string }).code)
  })

  it('[R2] reports a missing folder and does not create it', async () => {
    const data = join(newFolder(), 'typo')
    for (const command of [['sessions'], ['tail', 'x'], ['replay', 'x'], ['rebuild', 'x'], ['verify']]) {
      const { code, out, err } = await runHere([...command, '--data', data])
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(`There is no data folder ${data}.`)
    }
    expect(existsSync(data)).toBe(false)
    const other = await runHere(['run', '--agent', 'nobody', '--data', data, 'x'])
    expect(other.err).toContain('There is no agent "nobody".')
    expect(statSync(data).mode & 0o777).toBe(0o700)
  })

  it('[O4] names the invalid setting and its source', async () => {
    const folder = newFolder()
    const path = join(folder, 'dragoman.json')
    writeFileSync(path, '{"agnet":"scripted"}')
    const { code, err } = await runHere(['sessions', '--json', '--data', folder])
    expect(code).toBe(2)
    expect(JSON.parse(err)).toMatchObject({ code: 'invalid-input' })
    expect(err).toContain('agnet')
    expect(err).toContain(path)
  })

  it('[O3] shows a welcome on a fresh machine, and creates nothing', async () => {
    const env = { HOME: newFolder() }
    const folder = defaultFolder(env)
    const { code, out } = await runHere(['sessions'], { env })
    expect({ code, out }).toEqual({
      code: 0,
      out: 'No sessions yet. Try: dragoman run "show me everything"\n',
    })
    expect((await runHere(['sessions', '--query', 'x'], { env })).out).toContain('No matching sessions.')
    expect(await runHere(['verify'], { env })).toEqual({
      code: 0,
      out: `✓ Nothing to verify: ${folder} is empty.\n`,
      err: '',
    })
    expect(existsSync(folder)).toBe(false)
  })

  it('[O3] creates files that only this user can read', async () => {
    const data = join(newFolder(), 'data')
    await runHere(['run', '--data', data, 'hello'])
    expect(statSync(data).mode & 0o777).toBe(0o700)
    for (const file of ['lock.db', 'journal.db']) expect(statSync(join(data, file)).mode & 0o777).toBe(0o600)
    expect(existsSync(join(data, 'owner.json'))).toBe(false)
  })

  it('[O3] [A12] doctor shows what works and what does not', async () => {
    const folder = newFolder()
    const fresh = await runHere(['doctor', '--data', folder])
    expect(fresh.code).toBe(0)
    for (const name of ['Node', 'SQLite', 'disk', 'data folder', 'lock', 'journal', 'agent scripted'])
      expect(fresh.out).toMatch(new RegExp(`^✓ ${name} `, 'm'))
    mkdirSync(join(folder, 'open'), { mode: 0o755 })
    const open = await runHere(['doctor', '--data', join(folder, 'open'), '--json'])
    expect(open.code).toBe(0)
    const { checks } = JSON.parse(open.out) as { checks: { name: string; status: string; advice?: string }[] }
    expect(checks.find(({ name }) => name === 'data folder')).toMatchObject({
      status: 'warn',
      advice: `chmod 700 ${join(folder, 'open')}`,
    })
    writeFileSync(join(folder, 'file'), '')
    const unusable = await runHere(['doctor', '--data', join(folder, 'file')])
    expect(unusable.code).toBe(1)
    expect(unusable.out).toContain(`✗ data folder      ${join(folder, 'file')} is not a folder`)
  })

  it('[O3] doctor continues if settings or folders are broken', async () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'dragoman.json'), '{')
    const broken = await runHere(['doctor', '--data', folder])
    expect(broken.code).toBe(1)
    expect(broken.out).toMatch(/^✗ settings +The settings in .* are not valid JSON/m)
    for (const name of ['data folder', 'lock', 'agent scripted'])
      expect(broken.out).toMatch(new RegExp(`^✓ ${name} `, 'm'))
    const wrong = await runHere(['doctor'], { env: { DRAGOMAN_DATA: folder, DRAGOMAN_PORT: 'x' } })
    expect(wrong.out).toContain('"port" from DRAGOMAN_PORT in the environment must be a port')
    expect(wrong.out).toContain(`✓ data folder      ${folder}`)
    // No system can look up a name this long, so this home folder cannot be read.
    const unreadable = await runHere(['doctor'], { env: { HOME: `/${'x'.repeat(300)}` } })
    expect(unreadable.code).toBe(1)
    expect(unreadable.out).toMatch(/^✗ settings +Cannot read the settings in .*/m)
    expect(unreadable.out).toMatch(/^✗ data folder .* cannot be used/m)
    expect(unreadable.out).toMatch(/^✓ agent scripted /m)
  })

  it('[J9] verify skips data of a newer version', async () => {
    const data = newFolder()
    await runHere(['run', '--data', data, 'hello'])
    {
      using db = new DatabaseSync(join(data, 'journal.db'))
      db.exec('update component set version = version + 1')
    }
    const { code, err } = await runHere(['verify', '--data', data, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(err)).toMatchObject({ code: 'folder-newer' })
    expect(err).toContain('was written by a newer Dragoman')
  })
})
