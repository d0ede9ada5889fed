import { randomUUID } from 'node:crypto'
import type { ModelMessage } from 'ai'
import { DragomanError } from '../../protocol/error.ts'
import type { Connection, ConnectOptions, Exit } from '../agent.ts'
import { createLogPieces } from '../kit/log-pieces.ts'
import { answerPrompt } from './answer-prompt.ts'
import { inSentence } from './failure.ts'
import { findKey, withoutKey } from './keys.ts'
import { createQuestions } from './questions.ts'
import type { Loop } from './loop.ts'
import { readSettings, type Settings } from './settings.ts'
import { createLineWriter } from './line-writer.ts'

/** Connects a model, as the session's options say. */
export const connect = (options: ConnectOptions): Promise<Connection> =>
  connectModel(options, readSettings(options.options))

/** Connects a model: there is no process, the loop runs here. */
export async function connectModel(options: ConnectOptions, settings: Settings): Promise<Connection> {
  const loop = await createLoop(options, settings)
  const { writer, questions } = loop
  const logs = createLogPieces()
  const { promise: exit, resolve: exited } = Promise.withResolvers<Exit>()
  const session = options.resume ?? randomUUID()
  let messages: readonly ModelMessage[] = []
  let running: { readonly stop: AbortController; readonly over: Promise<void> } | null = null

  const work = async (stop: AbortController, prompt: Parameters<typeof answerPrompt>[2]) => {
    try {
      messages = await answerPrompt(loop, messages, prompt, stop.signal)
    } catch (error) {
      // Only a defect of ours gets here; the session then ends the answer.
      logs.add(`${withoutKey(String(error), loop.key)}\n`)
      close(1, 'The model loop failed unexpectedly.')
    } finally {
      running = null
    }
  }
  const close = (code: number, reason: string | null) => {
    writer.queue.end()
    logs.end()
    exited({ code, signal: null, reason })
  }
  const dispose = async () => {
    running?.stop.abort(new Error('The connection was closed.'))
    await running?.over
    close(0, null)
  }
  options.signal.addEventListener('abort', () => void dispose(), { once: true })

  const { provider, model, prices } = settings
  await writer.write({ dragoman: 'hello', session, provider, model, cwd: options.cwd, prices })
  return {
    process: null,
    // Without a session that provides the earlier messages, this is reported.
    resumed: options.context !== undefined,
    messages: writer.queue,
    logs,
    exit,
    async prompt(id, parts) {
      if (running !== null) throw new DragomanError('session-busy', 'The model is still answering.')
      const stop = new AbortController()
      const { promise: over, resolve } = Promise.withResolvers<void>()
      running = { stop, over }
      await writer.writeOurs({ dragoman: 'prompt', id, parts: parts })
      void work(stop, { id, parts }).finally(resolve)
    },
    async answer(approval, answer) {
      const { approved, reason, input } = answer
      await writer.writeOurs({
        dragoman: 'answer',
        approval,
        approved,
        reason,
        ...(input !== undefined && { input }),
      })
      questions.answer(approval, answer)
    },
    async interrupt() {
      await writer.writeOurs({ dragoman: 'interrupt' })
      running?.stop.abort(new Error('Interrupted.'))
    },
    [Symbol.asyncDispose]: dispose,
  }
}

async function createLoop(options: ConnectOptions, settings: Settings): Promise<Loop> {
  const found = await findKey(settings)
  if (found.type === 'missing')
    throw new DragomanError(
      'agent-unavailable',
      `No API key found for ${inSentence(settings.service)}. ${found.advice}`,
    )
  const key = found.type === 'key' ? found.key : null
  const name = randomUUID().slice(0, 8)
  let named = 0
  const { cwd, dataFolder, context } = options
  return {
    cwd,
    dataFolder,
    ...(context !== undefined && { context }),
    settings,
    key,
    writer: createLineWriter(options, key),
    questions: createQuestions(),
    nextName: kind => `${name}-${kind === 'request' ? 'r' : 'q'}${(named += 1)}`,
  }
}
