import { setTimeout as sleep } from 'node:timers/promises'
import { wrapLanguageModel, type LanguageModelMiddleware } from 'ai'
import type { Thread } from '../../protocol/chunk.ts'
import { isUnknownEvent, renamed, withoutUnknown, withoutWarnings, type Part } from './answer-parts.ts'
import type { Model } from './create-model.ts'
import { brokenStream, cutStream, failureOf, ModelFailure } from './failure.ts'
import type { Relay } from './relay-fetch.ts'
import type { Settings } from './settings.ts'
import type { ResponseState } from './translation/state.ts'
import type { LineWriter } from './line-writer.ts'

type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>
type Streamed = Awaited<ReturnType<WrapStream>>

/** What a retry needs. */
export interface RetryOptions {
  readonly writer: LineWriter
  readonly settings: Settings
  readonly thread: Thread
  readonly relay: Relay
}

const longestWait = 60_000
const tooLong = 5 * 60_000

/**
 * A model whose answers come whole or not at all. The relay shows an answer while it comes; the loop gets it when it
 * is complete. So no tool runs for an answer that breaks off, and such a request can be sent again.
 */
export function withRetries(model: Model, options: RetryOptions): Model {
  const wrapStream: WrapStream = async ({ doStream, params }) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await wholeAnswer(doStream, options)
      } catch (error) {
        params.abortSignal?.throwIfAborted()
        await waitAfter(failureOf(error, options.settings), attempt, options, params.abortSignal)
      }
    }
  }
  return wrapLanguageModel({ model, middleware: { specificationVersion: 'v4', wrapStream } })
}

async function wholeAnswer(doStream: () => PromiseLike<Streamed>, options: RetryOptions): Promise<Streamed> {
  const parts: Part[] = []
  let streamed: Streamed | undefined
  let trouble: unknown
  try {
    streamed = await doStream()
    for await (const part of streamed.stream) {
      if (part.type === 'error' && !isUnknownEvent(part)) trouble ??= part.error
      parts.push(part)
    }
  } catch (error) {
    trouble ??= error
  }
  const response = checkWhole(options)
  if (trouble !== undefined) throw trouble
  if (streamed === undefined) throw cutStream(options.settings)
  const answer = renamed(withoutUnknown(withoutWarnings(parts), response), response)
  return { ...streamed, stream: ReadableStream.from(answer) }
}

/** Throws unless the answer came to its own end; the wire is more exact than the SDK's parts. */
function checkWhole({ writer, relay, settings }: RetryOptions): ResponseState | undefined {
  const response = writer.known.responses.get(relay.request ?? '')
  if (response?.wire.error)
    throw brokenStream(response.wire.error.kind, response.wire.error.message, settings)
  if (relay.failure !== null) throw relay.failure
  if (response !== undefined && !response.wire.isComplete) throw cutStream(settings)
  return response
}

/** Waits before a retry, or gives up. */
async function waitAfter(
  failure: ModelFailure,
  attempt: number,
  { writer, settings, thread, relay }: RetryOptions,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { retries, retryMs } = settings
  if (!failure.isPassing || attempt > retries) throw failure
  if (failure.waitMs !== null && failure.waitMs > tooLong)
    throw new ModelFailure(
      failure.kind,
      `${failure.message} It asks to wait ${Math.ceil(failure.waitMs / 1000)} seconds, which is too long.`,
    )
  // With equal waits, all clients would come back at once.
  const backoff = Math.min(longestWait, retryMs * 2 ** (attempt - 1)) * (0.75 + Math.random() / 2)
  const wait = failure.waitMs ?? backoff
  const seconds = Math.round(wait / 100) / 10
  await writer.write({
    dragoman: 'retry',
    request: relay.request ?? '',
    thread,
    seconds,
    reason: failure.message,
  })
  await sleep(wait, undefined, signal === undefined ? {} : { signal })
}
