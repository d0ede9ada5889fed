import { readUIMessageStream as readV7 } from 'ai'
import { readUIMessageStream as readV6 } from 'ai6'
import type { Chunk } from '../protocol/chunk.ts'
import { generatedError } from './well-formed-stream.arbitrary.ts'

type Reader = (chunks: readonly Chunk[]) => Promise<unknown>

const streamOf = (chunks: readonly Chunk[]) =>
  new ReadableStream<never>({
    start(controller) {
      // The readers have different types for a chunk; at run time, each gets the chunks that a client receives.
      for (const chunk of chunks) controller.enqueue(structuredClone(chunk) as never)
      controller.close()
    },
  })

async function last(messages: AsyncIterable<unknown>): Promise<unknown> {
  let message: unknown
  for await (const next of messages) message = next
  return message
}

/** Reads to the end; an `error` chunk changes nothing in the message, any other trouble is ours. */
async function readWith(
  read: (onError: (error: unknown) => void) => AsyncIterable<unknown>,
): Promise<unknown> {
  const errors: unknown[] = []
  const message = await last(read(error => errors.push(error)))
  const real = errors.find(error => !(error instanceof Error) || error.message !== generatedError)
  if (real !== undefined) throw real
  return message
}

/** What clients of the AI SDK, latest v7 and latest v6, make of a stream of one message. */
export const sdkReaders: Readonly<Record<'v7' | 'v6', Reader>> = {
  v7: chunks => readWith(onError => readV7({ stream: streamOf(chunks), onError })),
  v6: chunks => readWith(onError => readV6({ stream: streamOf(chunks), onError })),
}

/** A value as it is after a journey as JSON: keys without a value are gone. */
export const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
