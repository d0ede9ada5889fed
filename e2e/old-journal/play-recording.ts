import { readFileSync } from 'node:fs'
import type { Agent, Exit, RawMessage } from '../../src/agents/agent.ts'
import type { Raw } from '../../src/protocol/event.ts'
import type { ConnectionId } from '../../src/protocol/ids.ts'

/** An agent that plays a recording instead of running its program. After a question it waits for an answer. */
export function play(agent: Agent, file: string): Agent {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const raws = lines
    .map((text): RawMessage | null =>
      agent.readRecorded ? agent.readRecorded(text) : { from: 'agent', text },
    )
    .filter(raw => raw !== null)
  return {
    ...agent,
    find: async () => ({ status: 'ready', version: '1', advice: null }),
    check: async () => {},
    async connect(options) {
      const prompted = Promise.withResolvers<void>()
      const ended = Promise.withResolvers<Exit>()
      const end = () => ended.resolve({ code: 0, signal: null, reason: null })
      let answered = Promise.withResolvers<void>()
      async function* messages(): AsyncGenerator<Raw> {
        let state = agent.initial('playing' as ConnectionId)
        await prompted.promise
        for (const raw of raws) {
          const [next, chunks] = agent.translate(state, raw)
          state = next
          if (raw.from === 'host') await options.record({ raw: raw.text })
          else yield { raw: raw.text }
          for (const { chunk } of chunks) {
            if (chunk.type !== 'tool-approval-request') continue
            await answered.promise
            answered = Promise.withResolvers()
          }
        }
        end()
      }
      return {
        process: null,
        messages: messages(),
        logs: (async function* () {})(),
        exit: ended.promise,
        prompt: async () => prompted.resolve(),
        answer: async () => answered.resolve(),
        interrupt: async () => {},
        [Symbol.asyncDispose]: async () => end(),
      }
    },
  }
}
