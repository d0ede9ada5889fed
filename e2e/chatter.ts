import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Agent, Connection, ConnectOptions } from '../src/agents/agent.ts'
import { scripted } from '../src/agents/scripted/index.ts'
import type { Raw } from '../src/protocol/event.ts'

/** An agent in this process that talks without a pause, in the scripted agent's language: no process to start. */
export const chatter: Agent = {
  name: 'chatter',
  title: 'Chatter',
  capabilities: scripted.capabilities,
  find: () => Promise.resolve({ status: 'ready', version: null, advice: null }),
  connect: options => Promise.resolve(connect(options)),
  initial: connection => scripted.initial(connection),
  translate: (state, raw) => scripted.translate(state as never, raw),
}

const words = 40
const noTokens = { input: 1, output: words, cacheRead: 0, cacheWrite: 0 }

function connect({ record, signal }: ConnectOptions): Connection {
  let prompt = Promise.withResolvers<string>()
  let answered = Promise.withResolvers<void>()
  let isInterrupted = false
  const ended = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => ended.resolve(), { once: true })

  async function* messages(): AsyncGenerator<Raw, void, undefined> {
    yield line({ type: 'hello', session: 'chatter', version: '1', model: 'none', cwd: '/' })
    for (;;) {
      const id = await Promise.race([prompt.promise, ended.promise])
      if (id === undefined) return
      prompt = Promise.withResolvers()
      yield line({ type: 'begin', prompt: id })
      isInterrupted = false
      answered = Promise.withResolvers()
      yield line({ type: 'call-ready', call: `${id}.call`, tool: 'Bash', input: null })
      yield line({ type: 'ask', call: `${id}.call`, approval: `${id}.ask` })
      await Promise.race([answered.promise, ended.promise])
      if (!isInterrupted) yield line({ type: 'result', call: `${id}.call`, output: null })
      for (let word = 0; word < words; word++) {
        if (isInterrupted) break
        if (word % 4 === 0) await nextTurn()
        yield line({ type: 'text', key: `${id}.text`, delta: `word ${word} ` })
      }
      const reason = isInterrupted ? 'interrupted' : 'finished'
      yield line({ type: 'done', reason, tokens: noTokens, cost: 0.001, duration: 1 })
    }
  }

  return {
    process: null,
    messages: messages(),
    logs: (async function* () {})(),
    exit: ended.promise.then(() => ({ code: 0, signal: null, reason: null })),
    async prompt(id) {
      await record({ raw: JSON.stringify({ type: 'prompt', id }) })
      prompt.resolve(id)
    },
    async answer(approval) {
      await record({ raw: JSON.stringify({ type: 'answer', approval }) })
      answered.resolve()
    },
    async interrupt() {
      await record({ raw: JSON.stringify({ type: 'interrupt' }) })
      isInterrupted = true
      answered.resolve()
    },
    async [Symbol.asyncDispose]() {
      ended.resolve()
    },
  }
}

const line = (value: unknown): Raw => ({ raw: JSON.stringify(value) })
