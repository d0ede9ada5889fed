import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, Connection, ConnectOptions } from '../../src/agents/agent.ts'
import { scripted } from '../../src/agents/scripted/index.ts'
import type { Raw } from '../../src/protocol/event.ts'

/** The text of the n-th word of every answer, as a model streams it. */
export const wordAt = (at: number): string => `word ${at} of the answer `

/** The native lines of an answer of so many words. */
export function* answerLines(prompt: string, words: number): Generator<string, void, undefined> {
  yield JSON.stringify({ type: 'begin', prompt })
  for (let at = 0; at < words; at++)
    yield JSON.stringify({ type: 'text', key: `${prompt}.text`, delta: wordAt(at) })
  yield JSON.stringify({ type: 'done', reason: 'finished', tokens, cost: 0, duration: 1 })
}

/** Lets everything else have its turn, as the time between two words of a model does. */
export const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

const tokens = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }

/**
 * An agent in the server's own process that writes as many words as the prompt's number, as fast as they are read, in the
 * scripted agent's language; `500@300` writes 500, after 300 ms, and `500@0 apart` writes each in a separate turn of the event loop.
 */
export const firehose: Agent = {
  name: 'firehose',
  title: 'Firehose',
  capabilities: scripted.capabilities,
  find: () => Promise.resolve({ status: 'ready', version: null, advice: null }),
  connect: options => Promise.resolve(connect(options)),
  initial: connection => scripted.initial(connection),
  translate: (state, raw) => scripted.translate(state as never, raw),
}

interface Asked {
  readonly id: string
  readonly words: number
  readonly afterMs: number
  readonly isApart: boolean
}

function connect({ record, signal }: ConnectOptions): Connection {
  let asked = Promise.withResolvers<Asked>()
  const ended = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => ended.resolve(), { once: true })

  async function* messages(): AsyncGenerator<Raw, void, undefined> {
    yield {
      raw: JSON.stringify({ type: 'hello', session: 'firehose', version: '1', model: 'none', cwd: '/' }),
    }
    for (;;) {
      const job = await Promise.race([asked.promise, ended.promise])
      if (job === undefined) return
      asked = Promise.withResolvers()
      await sleep(job.afterMs)
      for (const raw of answerLines(job.id, job.words)) {
        yield { raw }
        if (job.isApart) await turn()
      }
    }
  }

  return {
    process: null,
    messages: messages(),
    logs: (async function* () {})(),
    exit: ended.promise.then(() => ({ code: 0, signal: null, reason: null })),
    async prompt(id, parts) {
      await record({ raw: JSON.stringify({ type: 'prompt', id }) })
      const [first] = parts
      const [words = '0', afterMs = '0', how] = (first?.type === 'text' ? first.text : '').split(/[@ ]/)
      asked.resolve({ id, words: Number(words), afterMs: Number(afterMs), isApart: how === 'apart' })
    },
    answer: () => Promise.resolve(),
    interrupt: () => Promise.resolve(),
    async [Symbol.asyncDispose]() {
      ended.resolve()
    },
  }
}
