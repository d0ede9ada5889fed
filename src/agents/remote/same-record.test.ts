import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Entry } from '../../protocol/entry.ts'
import type { ConnectionId, PromptId, SessionId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import { openHouse, type House } from '../../sessions/house.fixture.ts'
import { acp } from '../acp/index.ts'
import type { Agent } from '../agent.ts'
import { claudeCode } from '../claude-code/index.ts'
import { install } from '../claude-code/parrot.fixture.ts'
import { obedient, pretendCodex } from '../codex/program.fixture.ts'
import { codex } from '../codex/index.ts'
import { geminiCli } from '../gemini-cli/index.ts'
import { scripted } from '../scripted/index.ts'
import {
  connect,
  linesOf,
  newFolder,
  python,
  remote,
  scriptedProgram,
  startService,
  withoutPython,
} from './service.fixture.ts'

const prompt = 'p0000000-0000-4000-8000-000000000000' as PromptId

/** Approves every question, until the session is idle. */
async function approveAll(house: House, session: SessionId): Promise<void> {
  const answerWhatIsAsked = async () => {
    const { approvals } = await house.sessions.approvals(session)
    for (const { id } of approvals.filter(each => each.status === 'pending'))
      await house.sessions.execute({ type: 'answer', session, approval: id, approved: true })
    return (await house.sessions.get(session)).status
  }
  await expect.poll(answerWhatIsAsked).toMatch(/^(idle|failed)$/)
}

/** The record of one session with an agent, without ids, times, process and name, which differ in every session. */
async function recordOf(agent: Agent, text: string, cwd: string): Promise<string> {
  const house = await openHouse([agent], { dataFolder: newFolder() })
  await using sessions = house.sessions
  const { session } = await sessions.execute({
    type: 'create',
    agent: agent.name,
    cwd,
    options: { pace: 0, seed: 'same' },
  })
  await house.prompt(session, text, 'prompt-1')
  await approveAll(house, session)
  return comparable(await house.entries(session))
}

function comparable(entries: readonly Entry[]): string {
  const known = new Map<string, string>()
  const named = (id: string) => known.get(id) ?? (known.set(id, `id-${known.size}`), known.get(id) ?? '')
  const logs = entries.flatMap(({ event }) => (event.type === 'agent-logged' ? [event.text] : []))
  return (
    entries
      .filter(({ event }) => event.type !== 'agent-logged')
      .map(({ event }) =>
        JSON.stringify({ ...event, ...('agent' in event && { agent: 'AGENT' }), process: 0 }),
      )
      // Even on one machine, the output of two pipes has no order.
      .concat(logs.join(''))
      .join('\n')
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, named)
      .replace(/(\\?"duration\\?":)\d+/g, '$10')
      .replace(/(\\?"at\\?":)\d+/g, '$10')
  )
}

/** An agent's answer to a prompt, as lines and as chunks, and the lines that it got. */
async function answerOf(
  agent: Agent,
  how: { readonly text: string; readonly last: RegExp; readonly options?: Json; readonly cwd: string },
) {
  const { connection, sent } = await connect(agent, { options: how.options ?? null, cwd: how.cwd })
  const reading = linesOf(connection, raw => how.last.test(raw))
  await connection.prompt(prompt, [{ type: 'text', text: how.text }])
  const lines = await reading
  let state = agent.initial('c' as ConnectionId)
  const chunks = lines.flatMap(({ raw }) => {
    const [next, some] = agent.translate(state, { from: 'agent', text: raw })
    state = next
    return some
  })
  const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g
  expect(chunks.length).toBeGreaterThan(0)
  return { lines, chunks, sent: sent.map(({ raw }) => raw.replace(uuid, 'ID')) }
}

describe('one agent, two machines, same record', () => {
  it('[A10] [J3] a session of the scripted agent has the same entries', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram })
    const cwd = newFolder()
    for (const text of ['show me everything', 'an error', 'a crash']) {
      const here = await recordOf(scripted, text, cwd)
      expect(await recordOf(remote(service, 'scripted'), text, cwd)).toBe(here)
      expect(here.length).toBeGreaterThan(1_000)
    }
  })

  it('[A10] [A4] Claude Code on another machine gives the same lines and the same chunks', async context => {
    if (python === null) return context.skip(withoutPython)
    for (const name of recordingsOfClaude) {
      const folder = install(player(name))
      const argv = [process.execPath, join(folder, 'claude')]
      const service = await startService({ 'claude-code': { argv, args: ['--*'] } })
      const how = { text: 'Hi', last: /"type":"the-end"/, cwd: folder }
      const here = await answerOf(claudeCode, how)
      expect(await answerOf(remote(service, 'claude-code'), how)).toEqual(here)
    }
  })

  it('[A10] [A5] Codex on another machine gives the same lines and the same chunks', async context => {
    if (python === null) return context.skip(withoutPython)
    const folder = pretendCodex(obedient)
    const argv = [process.execPath, join(folder, 'codex')]
    const service = await startService({ codex: { argv, args: ['app-server'] } })
    const how = { text: 'finish', last: /turn.completed/, cwd: folder }
    const here = await answerOf(codex, how)
    expect(await answerOf(remote(service, 'codex'), how)).toEqual(here)
  })

  it('[A10] [A8] an ACP agent on another machine gives the same lines and the same chunks', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ fake: { argv: acpFake.argv } })
    const cwd = newFolder()
    const how = { text: 'hello', last: /stopReason/, cwd }
    const { command, args } = acpFake
    const here = await answerOf(acp, { ...how, options: { command, args } })
    const there = remote(service, 'acp', { program: 'fake', options: { command: 'fake' } })
    expect(await answerOf(there, how)).toEqual(here)
    for (const wish of ['files', 'terminals'])
      await expect(connect(there, { options: { [wish]: true } })).rejects.toThrow(
        `The option "${wish}" works only for agents on this machine`,
      )
  })

  it('[A10] [A7] Gemini CLI on another machine gives the same lines over ACP, without its chat file', async context => {
    if (python === null) return context.skip(withoutPython)
    const program = { argv: acpFake.argv, args: ['--acp'], acceptEnv: ['GEMINI_CLI_NO_RELAUNCH'] }
    const service = await startService({ 'gemini-cli': program })
    const cwd = newFolder()
    const how = { text: 'hello', last: /stopReason/, cwd }
    const { command, args } = acpFake
    const here = await answerOf(geminiCli, { ...how, options: { command, args, env: { HOME: cwd } } })
    const there = remote(service, 'gemini-cli')
    expect(there.capabilities).toEqual({ ...geminiCli.capabilities, resume: false })
    expect(await answerOf(there, how)).toEqual(here)
  })

  it('[A10] [P9] a conversation continues in a new process there, which resumes its own session', async context => {
    if (python === null) return context.skip(withoutPython)
    const service = await startService({ scripted: scriptedProgram })
    const house = await openHouse([remote(service, 'scripted')], {
      dataFolder: newFolder(),
      limits: { idleMs: 1 },
    })
    await using sessions = house.sessions
    const { session } = await sessions.execute({
      type: 'create',
      agent: 'there',
      cwd: newFolder(),
      options: { pace: 0 },
    })
    for (const text of ['hello', 'hello again']) {
      await house.prompt(session, text)
      await approveAll(house, session)
      await expect.poll(async () => (await house.events(session, 'agent-exited')).length).toBeGreaterThan(0)
    }
    const [first, second] = await house.events(session, 'agent-connected')
    expect(first).toMatchObject({ process: null, resumed: null })
    expect(second?.resumed).toMatch(/^scripted-/)
  })
})

const acpFile = join(import.meta.dirname, '../acp/fake-agent.fixture.ts')
const acpFake = { command: process.execPath, args: [acpFile], argv: [process.execPath, acpFile] }

const recordings = join(import.meta.dirname, '../claude-code/recordings')
const recordingsOfClaude = readdirSync(recordings)
  .filter(name => name.endsWith('.jsonl'))
  .filter((_, at) => at % 12 === 0)

/** A program that answers a prompt with recorded lines of the real one. */
function player(name: string): string {
  const lines = readFileSync(join(recordings, name), 'utf8').split('\n')
  const printed = lines.flatMap(line => {
    const message = line === '' ? null : (claudeCode.readRecorded?.(line) ?? null)
    return message?.from === 'agent' ? [message.text] : []
  })
  return `
    const lines = ${JSON.stringify([...printed, '{"type":"the-end"}'])}
    require('node:readline').createInterface({ input: process.stdin }).on('line', text => {
      if (JSON.parse(text).type === 'user') for (const line of lines) process.stdout.write(line + '\\n')
    })`
}
