import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { acp } from '../src/agents/acp/index.ts'
import type { Agent } from '../src/agents/agent.ts'
import { claudeCode } from '../src/agents/claude-code/index.ts'
import { install } from '../src/agents/claude-code/parrot.fixture.ts'
import { codex } from '../src/agents/codex/index.ts'
import { obedient, pretendCodex } from '../src/agents/codex/program.fixture.ts'
import type { Entry } from '../src/protocol/entry.ts'
import { openHouse } from '../src/sessions/house.fixture.ts'

type Options = { command: string; args: string[] } | null

/** Runs one prompt in a session, and returns the agent's saved lines, each with the number of times it was parsed. */
async function parsedLines(agent: Agent, dataFolder: string, prompt: string, options: Options = null) {
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  const house = await openHouse([agent], { dataFolder })
  await using sessions = house.sessions
  const { session } = await sessions.execute({ type: 'create', agent: agent.name, cwd: '/', options })
  await house.prompt(session, prompt)
  await sessions.whenIdle(session)
  const texts = parse.mock.calls.map(([text]) => text)
  expectSameReplay(agent, await house.entries(session))
  const events = await house.events(session, 'agent-spoke')
  return events.map(event => ({ event, parsed: texts.filter(text => text === event.raw).length }))
}

/** Expects that a translation without the parsed values gives the saved chunks. */
function expectSameReplay(agent: Agent, entries: readonly Entry[]): void {
  let state: unknown
  for (const { event } of entries) {
    if (event.type === 'agent-connected') state = agent.initial(event.connection)
    if (event.type !== 'agent-spoke' && event.type !== 'host-spoke') continue
    const from = event.type === 'agent-spoke' ? 'agent' : 'host'
    const [next, chunks] = agent.translate(state, { from, text: event.raw })
    state = next
    expect(chunks).toEqual(event.chunks)
  }
}

/** Expects that each line was parsed once, by the transport or by the translation, and that the value was not saved. */
function expectOnce(lines: Awaited<ReturnType<typeof parsedLines>>, part: string): void {
  expect(lines.map(({ event }) => event.raw).join('\n')).toContain(part)
  for (const { event, parsed } of lines) {
    expect(parsed, event.raw).toBe(1)
    expect(event).not.toHaveProperty('parsed')
  }
}

it('[A1] each line of Codex is parsed once', async () => {
  const folder = pretendCodex(`${obedient}
    actions.talk = () => {
      const at = { threadId: 'T', turnId: 'U', itemId: 'm' }
      say({ method: 'item/agentMessage/delta', params: { ...at, delta: 'Once ' } })
      say({ method: 'item/agentMessage/delta', params: { ...at, delta: 'upon a time' } })
      actions.finish()
    }`)
  expectOnce(await parsedLines(codex, folder, 'talk'), 'upon a time')
})

it('[A1] each line of an ACP agent is parsed once', async () => {
  const folder = pretendCodex('')
  const program = join(import.meta.dirname, '../src/agents/acp/fake-agent.fixture.ts')
  const options = { command: process.execPath, args: [program] }
  expectOnce(await parsedLines(acp, folder, 'hello', options), 'Hello')
})

it('[A1] each line of Claude Code is parsed once', async () => {
  const folder = install(`
    const say = message => process.stdout.write(JSON.stringify(message) + '\\n')
    require('node:readline').createInterface({ input: process.stdin }).on('line', text => {
      const { type, request_id } = JSON.parse(text)
      if (type === 'control_request') say({ type: 'control_response', response: { subtype: 'success', request_id } })
      if (type !== 'user') return
      say({ type: 'assistant', message: { id: 'm', content: [{ type: 'text', text: 'Hello' }] } })
      say({ type: 'control_cancel_request', request_id: 'r' })
      say({ type: 'result', subtype: 'success', is_error: false, result: 'Hello' })
    })`)
  expectOnce(await parsedLines(claudeCode, folder, 'hello'), 'Hello')
})
