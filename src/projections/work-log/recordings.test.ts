import { createReadStream, existsSync, readdirSync } from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Agent } from '../../agents/agent.ts'
import { loadAgents } from '../../agents/index.ts'
import { readLines } from '../../agents/kit/line-reader.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { redact } from '../../protocol/redact.ts'
import { foldEntries } from '../fold.ts'
import { journal, said } from '../journal.fixture.ts'
import { createToolCalls } from '../tool-calls.ts'
import { createWorkLog } from './work-log.ts'

const agents = await loadAgents()

const dataFolder = mkdtempSync(join(tmpdir(), 'dragoman-work-log-'))
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

/** A recording as a journal would have it. */
async function entriesOf(agent: Agent, path: string): Promise<readonly Entry[]> {
  const created = { agent: agent.name, cwd: '/workspace', title: null, options: null }
  const events: Event[] = [{ type: 'session-created', ...created }]
  let state = agent.initial('recording' as ConnectionId)
  for await (const { raw, rawFile } of readLines(createReadStream(path), { dataFolder })) {
    const heard =
      agent.readRecorded && rawFile === undefined
        ? agent.readRecorded(raw)
        : ({ from: 'agent', text: raw, cut: rawFile !== undefined } as const)
    if (heard === null) continue
    const [next, chunks] = agent.translate(state, heard)
    state = next
    events.push(said(null, chunks))
  }
  return journal(...events)
}

describe.each(agents)('the work log of $name', agent => {
  const folder = join(import.meta.dirname, `../../agents/${agent.name}/recordings`)
  const files = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : []

  it.each(files)('[X7] %s: each tool call has its line, the same twice, and no secret in it', async file => {
    const entries = await entriesOf(agent, join(folder, file))
    const calls = foldEntries(createToolCalls(), entries)
    const log = foldEntries(createWorkLog(), entries)
    expect(log.map(({ toolCallId, message }) => [message, toolCallId])).toEqual(
      calls.map(({ toolCallId, message }) => [message, toolCallId]),
    )
    for (const { sentence, seqs, outcome, stop } of log) {
      expect(sentence).toMatch(/^\S.{3,}\S$/)
      expect(sentence).not.toMatch(/undefined|null|\[object|NaN/)
      expect(sentence.length).toBeLessThan(400)
      expect(seqs.length).toBeGreaterThan(0)
      expect(stop === null).toBe(outcome === 'pending')
    }
    const shown = log.flatMap(({ sentence, parameters }) =>
      [sentence, ...Object.values(parameters)].map(String),
    )
    expect(shown.map(text => redact(text))).toEqual(shown)
    expect(foldEntries(createWorkLog(), entries)).toEqual(log)
  })
})
