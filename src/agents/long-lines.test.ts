import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { endsCall } from '../projections/call-end.ts'
import type { ThreadChunk } from '../protocol/chunk.ts'
import type { ConnectionId } from '../protocol/ids.ts'
import { openParts, type OpenParts } from '../protocol/open-parts.ts'
import type { Agent, RawMessage } from './agent.ts'
import { agents } from './index.ts'

const names = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'acp', 'scripted'] as const

function recordingsOf(agent: Agent): readonly (readonly RawMessage[])[] {
  const folder = join(import.meta.dirname, agent.name, 'recordings')
  const files = readdirSync(folder).filter(file => file.endsWith('.jsonl'))
  return files.map(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .flatMap(text => agent.readRecorded?.(text) ?? { from: 'agent', text }),
  )
}

/** What each line means. */
function translated(agent: Agent, raws: readonly RawMessage[]): readonly (readonly ThreadChunk[])[] {
  let state = agent.initial('recording' as ConnectionId)
  return raws.map(raw => {
    const [next, chunks] = agent.translate(state, raw)
    state = next
    return chunks
  })
}

/** The calls that end with some chunks. */
const endedIn = (chunks: readonly ThreadChunk[] = []) =>
  chunks.flatMap(({ chunk }) => (endsCall(chunk) ? [chunk.toolCallId] : []))

/** The calls that have an input and no result. */
const waitingIn = ({ messages }: OpenParts) =>
  messages.flatMap(({ calls }) => calls.flatMap(call => (call.streamed === null ? [call.toolCallId] : [])))

it.each(names)('[R2] a call of %s whose result is too long to read does not wait for it', name => {
  const agent = agents.find(each => each.name === name)
  if (agent === undefined) throw new Error(`There is no ${name}.`)
  let looked = 0
  for (const raws of recordingsOf(agent)) {
    const told = translated(agent, raws)
    const threads = new Set(told.flat().map(({ thread }) => thread))
    let open = openParts.initial
    for (const [at, chunks] of told.entries()) {
      const waiting = waitingIn(open).filter(call => !threads.has(call))
      open = chunks.reduce(openParts.apply, open)
      const line = raws[at]
      const ended = endedIn(chunks).filter(
        call => waiting.includes(call) && line?.text.includes(JSON.stringify(call)),
      )
      if (line === undefined || ended.length === 0) continue
      expect(endedIn(translated(agent, raws.with(at, { ...line, cut: true }))[at])).toEqual(
        expect.arrayContaining(ended),
      )
      looked += ended.length
    }
  }
  expect(looked).toBeGreaterThan(20)
})
