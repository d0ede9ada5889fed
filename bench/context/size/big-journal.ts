import { compile, createHistoryFold, profiles } from '../../../src/context/index.ts'
import type { Chunk } from '../../../src/protocol/chunk.ts'
import type { Event } from '../../../src/protocol/event.ts'
import type { ConnectionId, InteractionId, SessionId } from '../../../src/protocol/ids.ts'
import { openOurStore, type OurStore } from '../../stores/our-journal.ts'

const session = 'big' as SessionId
const connection = 'c' as ConnectionId
const atOnce = 256

/** How many messages are still in use: those since the last compaction. */
export const active = 1000

/** Writes a session in which each entry is one whole message: a text, a call and its result. */
export async function fillJournal(folder: string, messages: number): Promise<void> {
  await using store = await openOurStore(folder)
  await store.journal.create(session, [])
  for (let saved = 0; saved < messages; saved += atOnce) {
    const count = Math.min(atOnce, messages - saved)
    await store.journal.append(
      session,
      Array.from({ length: count }, (_, at) => messageOf(saved + at)),
    )
  }
}

function messageOf(at: number): Event {
  const interaction = `i${at}` as InteractionId
  const chunks = chunksOf(at).map(chunk => ({ thread: null, chunk }))
  return { type: 'agent-spoke', interaction, connection, raw: `{"line":${at}}`, chunks }
}

function chunksOf(at: number): readonly Chunk[] {
  const tool = { toolCallId: `call-${at}`, dynamic: true } as const
  const id = `t${at}`
  return [
    { type: 'start', messageId: `m${at}` },
    { type: 'start-step' },
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: `Step ${at}.` },
    { type: 'text-end', id },
    { type: 'tool-input-available', toolName: 'Read', input: { file_path: `/w/${at % 200}.ts` }, ...tool },
    { type: 'tool-output-available', output: `line 1 of ${at}\nline 2 of ${at}\nline 3 of ${at}`, ...tool },
    { type: 'finish-step' },
    { type: 'finish', finishReason: 'stop' },
  ]
}

/** Reads the messages in use from the end of the journal, makes a history of them and compiles it. Milliseconds. */
export async function compileActive({ journal }: OurStore): Promise<number> {
  const begin = performance.now()
  const head = await journal.head(session)
  const fold = createHistoryFold()
  for (let after = head - active; after < head;) {
    const entries = await journal.read(session, after, head - after)
    for (const entry of entries) fold.apply(entry)
    after += entries.length
  }
  const history = fold.view()
  const target = {
    step: active + 1,
    at: 0,
    window: 200_000,
    fixedTokens: 40_000,
    thinking: 'free',
    boundary: true,
  } as const
  const { conversation } = compile(history, target, profiles.safe, null)
  const time = performance.now() - begin
  if (conversation.messages.length !== 2 * active)
    throw new Error(`${conversation.messages.length} messages were compiled.`)
  return time
}

/** Reads a page of a hundred messages from the middle. Milliseconds. */
export async function readMiddle({ journal }: OurStore): Promise<number> {
  const begin = performance.now()
  const middle = Math.floor((await journal.head(session)) / 2)
  for (let got = 0; got < 100;) got += (await journal.read(session, middle + got, 100 - got)).length
  return performance.now() - begin
}
