import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ThreadChunk } from '../../protocol/chunk.ts'
import type { ConnectionId } from '../../protocol/ids.ts'
import { openParts } from '../../protocol/open-parts.ts'
import { assertWellFormed } from '../../protocol/well-formed.ts'
import type { Agent } from '../agent.ts'
import type { RawMessage } from '../translation.ts'

/** The test runner: Vitest, `node:test` or another one that has these two. */
interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** Checks that an agent keeps its contract, with every recording (`*.jsonl`, one native message per line) in a folder. */
export function testAgent({ describe, it }: TestRunner, agent: Agent, recordings: string): void {
  const files = readdirSync(recordings).filter(name => name.endsWith('.jsonl'))
  describe(`the agent ${agent.name}`, () => {
    it('has recordings', async () => assert.ok(files.length > 0, `${recordings} has no *.jsonl files.`))
    it('reports whether it can run', async () => {
      const { status } = await agent.find()
      assert.ok(
        ['ready', 'needs-login', 'missing', 'broken'].includes(status),
        `"${status}" is not a status.`,
      )
    })
    for (const file of files)
      for (const [rule, test] of Object.entries(rules))
        it(`${file}: ${rule}`, async () => test(agent, readRecording(agent, join(recordings, file))))
  })
}

/** Reads a recording of an agent: the raw messages of both sides. */
export function readRecording(agent: Agent, file: string): readonly RawMessage[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const raws = lines.map((text): RawMessage | null =>
    agent.readRecorded ? agent.readRecorded(text) : { from: 'agent', text },
  )
  return raws.filter(raw => raw !== null)
}

/** The chunks of raw messages, and those that close what was still open when the agent ended. */
export function translateRecording(agent: Agent, raws: readonly RawMessage[]): readonly ThreadChunk[] {
  let state = agent.initial('recording' as ConnectionId)
  let open = openParts.initial
  const all = raws.flatMap(raw => {
    const [next, chunks] = agent.translate(state, raw)
    state = next
    open = chunks.reduce(openParts.apply, open)
    return chunks
  })
  return [...all, ...openParts.closeAll(open, { errorText: 'The agent ended.', reason: 'interrupted' })]
}

/** Lines that no program should write, and some do. */
const damaged = ['', '{', 'null', '[]', '{}', '"text"', '{"type":null}', '\u0000']

const rules: Readonly<Record<string, (agent: Agent, raws: readonly RawMessage[]) => void>> = {
  'gives a well-formed stream': (agent, raws) => assertWellFormed(translateRecording(agent, raws)),
  'gives a well-formed stream when the program dies after any line'(agent, raws) {
    for (let lines = 0; lines < raws.length; lines += Math.ceil(raws.length / 100))
      assertWellFormed(translateRecording(agent, raws.slice(0, lines)))
  },
  'gives a well-formed stream with damaged lines in between'(agent, raws) {
    const from = 'agent' as const
    const mixed = raws.flatMap((raw, at) => [raw, { from, text: damaged[at % damaged.length] ?? '' }])
    assertWellFormed(translateRecording(agent, [...mixed, ...damaged.map(text => ({ from, text }))]))
  },
  'gives the same chunks again, and changes no earlier state'(agent, raws) {
    assert.deepEqual(translateRecording(agent, raws), translateRecording(agent, raws))
    let state = agent.initial('recording' as ConnectionId)
    for (const raw of raws) {
      const before = structuredClone(state)
      const [next] = agent.translate(state, raw)
      assert.deepEqual(state, before)
      state = next
    }
  },
}
