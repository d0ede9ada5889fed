import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { PromptId } from '../../protocol/ids.ts'
import type { FakeManner } from '../acp/fake-agent.fixture.ts'
import { find } from './find.ts'
import { geminiCli } from './index.ts'

async function newHome() {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-gemini-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const chats = join(home, '.gemini/tmp/work/chats')
  await mkdir(chats, { recursive: true })
  return { home, chats }
}

/** Connects the fake agent in the place of Gemini CLI. */
async function connect(home: string, resume: string | null = null, forgets = false) {
  const sent: string[] = []
  const manner: FakeManner = { forgets, capabilities: { agentCapabilities: { loadSession: true } } }
  const connection = await geminiCli.connect({
    cwd: home,
    resume,
    options: {
      command: process.execPath,
      args: [join(import.meta.dirname, '../acp/fake-agent.fixture.ts')],
      model: 'some-model',
      env: { HOME: home, FAKE_MANNER: JSON.stringify(manner) },
    },
    dataFolder: home,
    record: ({ raw }) => Promise.resolve(void sent.push(raw)),
    signal: AbortSignal.timeout(80_000),
  })
  onTestFinished(() => connection[Symbol.asyncDispose]())
  return { connection, sent }
}

const message = (id: string) => JSON.stringify({ id, type: 'gemini', content: 'Hello', tokens: { input: 1 } })

describe('Gemini CLI', () => {
  it('[A7] is read together with the file of its chat, whose lines come before the end of the answer', async () => {
    const { home, chats } = await newHome()
    const { connection } = await connect(home)
    await writeFile(join(chats, 'session-2026-01-01T00-00-s.jsonl'), `${message('m')}\n`)
    await connection.prompt('p' as PromptId, [{ type: 'text', text: 'hello' }])
    const lines: string[] = []
    for await (const { raw } of connection.messages) {
      lines.push(raw)
      if (raw.includes('stopReason')) break
    }
    expect(lines).toContain(message('m'))
    expect(lines.at(-1)).toContain('"stopReason":"end_turn"')
  })

  it('[A18] is read together with the file of a new chat, where the old one could not be loaded', async () => {
    const { home, chats } = await newHome()
    const { connection } = await connect(home, 'old', true)
    await writeFile(join(chats, 'session-2026-01-01T00-00-s.jsonl'), `${message('m')}\n`)
    const lines: string[] = []
    void connection.prompt('p' as PromptId, [{ type: 'text', text: 'hello' }])
    for await (const { raw } of connection.messages) {
      lines.push(raw)
      if (raw.includes('stopReason')) break
    }
    expect(await connection.resumed).toBe(false)
    expect(lines).toContain(message('m'))
  })

  it('[A18] begins a new chat at once where it would wipe the old one: in the minute in which that was begun', async () => {
    const { home, chats } = await newHome()
    const minute = new Date().toISOString().slice(0, 16).replace(':', '-')
    const next = new Date(Date.now() + 60_000).toISOString().slice(0, 16).replace(':', '-')
    for (const each of [minute, next]) await writeFile(join(chats, `session-${each}-old.jsonl`), '')
    const methods = async (folder: string) => {
      const { connection, sent } = await connect(folder, 'old')
      await connection.prompt('p' as PromptId, [{ type: 'text', text: 'hello' }])
      return [await connection.resumed, ...sent.map(line => (JSON.parse(line) as { method: string }).method)]
    }
    expect(await methods(home)).toEqual([false, 'initialize', 'session/new', 'session/prompt'])
    const later = await newHome()
    expect(await methods(later.home)).toEqual([true, 'initialize', 'session/load', 'session/prompt'])
  })

  it('[A12] is found with its version and login method', async () => {
    const { home } = await newHome()
    const env = { PATH: home, HOME: home }
    expect(await find(env)).toMatchObject({
      status: 'missing',
      advice: 'Install it: npm install --global @google/gemini-cli',
    })
    const program = join(home, 'gemini')
    await writeFile(program, '#!/bin/sh\necho 0.61.0\n')
    await chmod(program, 0o755)
    expect(await find(env)).toMatchObject({ status: 'needs-login', version: '0.61.0' })
    expect(await find({ ...env, GEMINI_API_KEY: 'x' })).toEqual({
      status: 'ready',
      version: '0.61.0',
      tested: '0.61.0 up to but not including 0.62.0',
      age: 'tested',
      isLoggedIn: true,
      advice: null,
    })
    const settings = { security: { auth: { selectedType: 'oauth-personal' } } }
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify(settings))
    expect(await find(env)).toMatchObject({ status: 'ready' })
    await writeFile(program, '#!/bin/sh\necho 9.9.9\n')
    expect(await find(env)).toMatchObject({ age: 'newer', advice: expect.stringContaining('newer') })
  })
})
