import * as latest7 from 'ai'
import * as first6 from 'ai-6-0-0'
import * as first7 from 'ai-7-0-0'
import * as latest6 from 'ai6'
import { expect } from 'vitest'

/** What we use of a release of the AI SDK; the releases differ in their types, not in what goes over the wire. */
interface Sdk {
  readUIMessageStream(options: {
    readonly stream: ReadableStream<never>
    readonly onError: (error: unknown) => void
  }): AsyncIterable<{ readonly id: string; readonly parts: readonly unknown[] }>
  uiMessageChunkSchema(): { readonly validate?: (value: unknown) => unknown }
}

/** The releases whose clients must be able to read us. */
export const sdks: Readonly<Record<'6.0.0' | '6.x' | '7.0.0' | '7.x', Sdk>> = {
  '6.0.0': first6,
  '6.x': latest6,
  '7.0.0': first7,
  '7.x': latest7,
}

/** Reads chunks as the client of a release does: each is checked by its schema, and an error is the end. */
export async function readWith(sdk: Sdk, chunks: readonly unknown[]): Promise<unknown> {
  const errors: unknown[] = []
  const schema = sdk.uiMessageChunkSchema()
  const received = chunks.map(chunk => JSON.parse(JSON.stringify(chunk)) as { readonly type: string })
  for (const chunk of received) expect(await schema.validate?.(chunk)).toMatchObject({ success: true })
  const stream = new ReadableStream<never>({
    start(controller) {
      // Some chunks change the message without the reader showing it; this one makes it show.
      const show = { type: 'message-metadata', messageMetadata: {} }
      for (const chunk of [...received, show]) if (chunk.type !== 'error') controller.enqueue(chunk as never)
      controller.close()
    },
  })
  let message: unknown
  for await (const each of sdk.readUIMessageStream({ stream, onError: error => errors.push(error) }))
    message = each
  expect(errors).toEqual([])
  return JSON.parse(JSON.stringify(message))
}
