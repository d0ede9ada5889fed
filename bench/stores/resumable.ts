import { createClient } from 'redis'
import { createResumableStreamContext, type ResumableStreamContext } from 'resumable-stream'

/** A long stream of the peer that is still open. */
export interface Resumable extends AsyncDisposable {
  /** The text that a reader gets that comes back after this many characters. */
  resume(skipCharacters: number): Promise<Resumed>
}

/** The text that the reader missed; it stays connected until it leaves. */
interface Resumed {
  readonly text: string
  readonly leave: () => Promise<void>
}

const name = 'answer'

/**
 * Produces the texts into a resumable stream that does not end. The reader has separate connections, as it
 * would in another server; the producer writes nothing more while readers come back, which favours the peer: it
 * would publish each new text once for every reader that ever came back.
 */
export async function openResumable(url: string, texts: readonly string[]): Promise<Resumable> {
  const resources = new AsyncDisposableStack()
  const producing = await connect(url, resources)
  const reading = await connect(url, resources)
  const source = new TransformStream<string, string>()
  const stream = await producing.createNewResumableStream(name, () => source.readable)
  if (stream === null) throw new Error('The stream of the peer has ended before it began.')
  await Promise.all([writeAll(source.writable, texts), readCount(stream, texts.length)])
  return {
    async resume(skipCharacters) {
      const resumed = await reading.resumeExistingStream(name, skipCharacters)
      if (!resumed) throw new Error('The stream of the peer is gone.')
      const reader = resumed.getReader()
      const { value = '' } = await reader.read()
      return { text: value, leave: () => reader.cancel() }
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

async function connect(url: string, resources: AsyncDisposableStack): Promise<ResumableStreamContext> {
  const [publisher, subscriber] = [createClient({ url }), createClient({ url })]
  for (const client of [publisher, subscriber]) {
    await client.connect()
    resources.defer(() => client.close())
  }
  return createResumableStreamContext({ waitUntil: null, publisher, subscriber })
}

async function writeAll(writable: WritableStream<string>, texts: readonly string[]): Promise<void> {
  const writer = writable.getWriter()
  for (const text of texts) await writer.write(text)
}

async function readCount(stream: ReadableStream<string>, count: number): Promise<void> {
  const reader = stream.getReader()
  for (let read = 0; read < count; read++) await reader.read()
}
