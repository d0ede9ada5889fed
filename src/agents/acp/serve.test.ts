import { link, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectFake, type FakeConnection } from './connect.fixture.ts'
import { objectOf, type JsonObject } from './messages.ts'

describe('files over ACP', () => {
  const request = async ({ ask }: FakeConnection, method: string, params: JsonObject) =>
    JSON.parse(await ask(`ask ${method} | ${JSON.stringify(params)}`)) as JsonObject

  it('[R3] reads and writes within the folder only, also through links', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'dragoman-outside-'))
    onTestFinished(() => rm(outside, { recursive: true, force: true }))
    await writeFile(join(outside, 'secret'), 'secret')
    const here = await connectFake()
    const { cwd } = here
    const path = join(cwd, 'deep/new/file.txt')
    expect(await request(here, 'fs/write_text_file', { path, content: 'a\nb\nc\n' })).toEqual({ result: {} })
    expect(await readFile(path, 'utf8')).toBe('a\nb\nc\n')
    expect(await request(here, 'fs/read_text_file', { path })).toEqual({ result: { content: 'a\nb\nc\n' } })
    expect(await request(here, 'fs/read_text_file', { path, line: 2, limit: 1 })).toEqual({
      result: { content: 'b' },
    })
    expect(await request(here, 'fs/read_text_file', { path: join(cwd, 'none') })).toMatchObject({
      error: { code: -32002 },
    })
    await symlink(outside, join(cwd, 'link'))
    await symlink(join(outside, 'made'), join(cwd, 'dangling'))
    const wrong = [
      join(outside, 'secret'),
      join(cwd, 'link/secret'),
      join(cwd, '../x'),
      'relative',
      `${cwd}-beside/x`,
    ]
    for (const each of [...wrong, join(cwd, 'dangling'), join(cwd, 'link/made')]) {
      expect(await request(here, 'fs/read_text_file', { path: each })).toMatchObject({
        error: { code: -32602 },
      })
      expect(await request(here, 'fs/write_text_file', { path: each, content: 'x' })).toMatchObject({
        error: { code: -32602 },
      })
    }
    await expect(readFile(join(outside, 'made'))).rejects.toThrow('ENOENT')
  })

  it('[A18] refuses to write a truncated text', async () => {
    const here = await connectFake()
    const path = join(here.cwd, 'long.txt')
    const content = 'x'.repeat(5_000_000)
    expect(await request(here, 'fs/write_text_file', { path, content })).toMatchObject({
      error: { code: -32602, message: 'This request is longer than 4 MiB. Send it in smaller parts.' },
    })
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('[S11] the data folder is closed, also through links and second names, and no error shows the resolved path of a file', async () => {
    const here = await connectFake()
    const { cwd } = here
    const data = join(cwd, 'data')
    await mkdir(join(data, 'overflow'), { recursive: true })
    await writeFile(join(data, 'token'), 'secret')
    await symlink(data, join(cwd, 'link'))
    await link(join(data, 'token'), join(cwd, 'second'))
    for (const path of ['data/token', 'data/new', 'data/overflow/x', 'link/token', 'data/../link/token'])
      for (const method of ['fs/read_text_file', 'fs/write_text_file'])
        expect(await request(here, method, { path: join(cwd, path), content: 'x' })).toMatchObject({
          error: { code: -32602, message: expect.stringContaining("Dragoman's data folder") as string },
        })
    expect(await request(here, 'fs/read_text_file', { path: join(cwd, 'second') })).toMatchObject({
      error: { code: -32602 },
    })
    await request(here, 'fs/write_text_file', { path: join(cwd, 'second'), content: 'mine' })
    expect(await readFile(join(data, 'token'), 'utf8')).toBe('secret')
    for (const path of [join(cwd, 'x'.repeat(300)), join(cwd, 'second/x'), cwd])
      for (const method of ['fs/read_text_file', 'fs/write_text_file'])
        expect(JSON.stringify(await request(here, method, { path, content: 'x' }))).toMatch(
          /^{"error":(?!.*\/proc\/self)/,
        )
  })
})

describe('terminals over ACP', () => {
  const ask = async ({ ask: prompt }: FakeConnection, method: string, params: JsonObject) =>
    objectOf(
      (JSON.parse(await prompt(`ask terminal/${method} | ${JSON.stringify(params)}`)) as JsonObject)[
        'result'
      ],
    )

  it('[A8] runs commands where they were offered, and keeps their output', async () => {
    const here = await connectFake({}, { options: { terminals: true } })
    const { terminalId = null } = await ask(here, 'create', { command: 'echo out; echo err >&2; exit 3' })
    expect(await ask(here, 'wait_for_exit', { terminalId })).toMatchObject({
      exitCode: 3,
      _meta: { dragoman: { output: 'out\nerr\n' } },
    })
    expect(await ask(here, 'output', { terminalId })).toMatchObject({
      output: 'out\nerr\n',
      exitStatus: { exitCode: 3 },
    })
    await ask(here, 'release', { terminalId })
    expect(await ask(here, 'output', { terminalId })).toEqual({})
    const { terminalId: other = null } = await ask(here, 'create', {
      command: 'sh',
      args: ['-c', 'echo $COLOUR; seq 1000; pwd'],
      env: [{ name: 'COLOUR', value: 'red' }],
      outputByteLimit: 100,
    })
    await ask(here, 'wait_for_exit', { terminalId: other })
    const { output, truncated } = await ask(here, 'output', { terminalId: other })
    expect(truncated).toBe(true)
    expect(output).toContain(here.cwd)
    expect(await ask(here, 'create', { command: 'ls', cwd: '/' })).toEqual({})
  })

  it('[A8] ends a command on request, and all of them with the connection', async () => {
    const here = await connectFake({}, { options: { terminals: true } })
    const { terminalId = null } = await ask(here, 'create', { command: 'echo begun; sleep 60' })
    await ask(here, 'kill', { terminalId })
    expect(await ask(here, 'wait_for_exit', { terminalId })).toMatchObject({ signal: 'SIGTERM' })
    await ask(here, 'create', { command: 'sleep 60' })
    await here.connection[Symbol.asyncDispose]()
    expect(await here.connection.exit).toMatchObject({})
  })
})
