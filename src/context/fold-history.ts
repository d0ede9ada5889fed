import { createFold, type Fold } from '../projections/fold.ts'
import { createMessages } from '../projections/messages.ts'
import type { StoredMessage } from '../projections/stored-message.ts'
import { createThreadCursor } from '../projections/thread-cursor.ts'
import type { Entry } from '../protocol/entry.ts'
import { chunksOf } from '../protocol/event.ts'
import type { Part } from './formats/conversation.ts'
import { createLedgerFold } from './fold-ledger.ts'
import type { History, HistoryMessage } from './history.ts'
import { placeStored, type Times } from './place-stored.ts'

/** What a history has beside its messages. */
export interface HistoryFoldOptions {
  readonly system?: readonly Part[]
}

interface Placed {
  readonly stored: StoredMessage
  readonly firstStep: number
  readonly messages: readonly HistoryMessage[]
  readonly steps: number
}

/** Folds the entries of a session into the history of its main conversation, as the compiler takes it. */
export function createHistoryFold({ system = [] }: HistoryFoldOptions = {}): Fold<History> {
  const messages = createMessages()
  const ledger = createLedgerFold()
  const clock = createClock()
  let session = ''
  let cwd: string | null = null
  let placed: readonly Placed[] = []
  const place = () => {
    let step = 1
    placed = (messages.view().get(null) ?? []).map((stored, at) => {
      const before = placed[at]
      const isSame = before?.stored === stored && before.firstStep === step
      const next = isSame ? before : placeOne(stored, step, cwd, clock.times, before)
      step += next.steps
      return next
    })
    return placed.flatMap(each => each.messages)
  }
  return createFold(
    entry => {
      session = entry.session
      if (entry.event.type === 'session-created') cwd = entry.event.cwd
      clock.take(entry)
      messages.apply(entry)
      ledger.apply(entry)
      return true
    },
    () => ({ session, system, messages: place(), ledger: ledger.view() }),
  )
}

function placeOne(
  stored: StoredMessage,
  firstStep: number,
  cwd: string | null,
  times: Times,
  before: Placed | undefined,
): Placed {
  const known =
    before?.stored.message.id === stored.message.id && before.firstStep === firstStep ? before : null
  const { messages, steps } = placeStored(stored, { firstStep, cwd, times, before: known?.messages ?? [] })
  return { stored, firstStep, messages, steps }
}

/** Remembers when messages and steps began and results came. */
function createClock(): { readonly times: Times; take(entry: Entry): void } {
  const cursor = createThreadCursor()
  const began = new Map<string, number[]>()
  const ended = new Map<string, number>()
  const begin = (message: string, at: number) => {
    const known = began.get(message)
    if (known === undefined) began.set(message, [at])
    else known.push(at)
  }
  return {
    times: { began: message => began.get(message) ?? [], ended: call => ended.get(call) ?? null },
    take({ event, at }) {
      if (event.type === 'interaction-started') begin(event.prompt ?? `${event.interaction}:user`, at)
      for (const threadChunk of chunksOf(event)) {
        const message = cursor.follow(threadChunk)
        if (message === null || threadChunk.thread !== null) continue
        const { chunk } = threadChunk
        if (chunk.type === 'start-step') begin(message, at)
        if (chunk.type === 'tool-output-available' || chunk.type === 'tool-output-error')
          ended.set(`${message} ${chunk.toolCallId}`, at)
      }
    },
  }
}
