import type { Replied, Sent } from '../../protocol/api/api.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { Caller } from '../call.ts'
import { persist } from '../persist.ts'
import type { Readable } from '../readable.ts'
import type { Surroundings } from '../surroundings.ts'
import { createItems, type Items } from './items.ts'
import type { GivenPrompt, Outgoing } from './outgoing.ts'
import type { Shelf } from './shelf.ts'

/** A prompt that was handed in. */
export interface SentPrompt {
  readonly id: string
  /** Resolves when the server has saved it, however long that takes; fails when it is refused or cancelled. */
  readonly saved: Promise<Replied<'prompt'>>
}

/** Prompts on their way: those of a session go one after another, in order, each until it is saved or refused. */
export interface Outbox {
  readonly items: Readable<readonly Outgoing[]>
  send(session: string, prompt: GivenPrompt): SentPrompt
  /** Sends a refused prompt again. */
  retry(id: string): void
  /** Cancels a prompt that is not being sent right now. If it was tried before, the server may have received it all the same. */
  discard(id: string): boolean
  /** Sends nothing more; unsent prompts stay in the storage. */
  close(): void
}

/** What an outbox needs. */
export interface OutboxOptions extends Surroundings {
  readonly caller: Caller
  readonly shelf: Shelf
  readonly newId: () => string
}

type Settle = PromiseWithResolvers<Replied<'prompt'>>

/** Takes up what an earlier page left, and sends it. */
export function createOutbox(options: OutboxOptions): Outbox {
  const { shelf, now, newId, pauses, timing } = options
  const items = createItems(shelf)
  const settles = new Map<string, Settle>()
  const busy = new Set<string>()
  const stop = new AbortController()

  const run = async (session: string) => {
    if (busy.has(session)) return
    busy.add(session)
    for (let item; !stop.signal.aborted && (item = items.next(session)) !== undefined;) {
      const { id } = item
      const settle = settles.get(id)
      await deliver(options, items, item, stop.signal).then(settle?.resolve, (error: DragomanError) => {
        if (!stop.signal.aborted) items.change(id, refused(error))
        settle?.reject(error)
      })
      settles.delete(id)
      // It stays until a screen surely shows it as part of the session, so that it does not vanish in between.
      void pauses.pause(timing.savedMs, true).then(() => items.find(id)?.seq !== null && items.remove(id))
    }
    busy.delete(session)
  }
  for (const { session } of items.all.get()) void run(session)

  return {
    items: items.all,
    send(session, prompt) {
      const { id = newId() } = prompt
      const settle: Settle = settles.get(id) ?? Promise.withResolvers()
      if (!settles.has(id)) items.add({ ...prompt, ...unsent, id, session, at: now() })
      settles.set(id, settle)
      // A caller that does not wait for it sees the refusal in the list.
      settle.promise.catch(() => {})
      void run(session)
      return { id, saved: settle.promise }
    },
    retry(id) {
      const item = items.find(id)
      if (item?.state !== 'refused') return
      items.change(id, unsent)
      void run(item.session)
    },
    discard(id) {
      if ((items.find(id)?.state ?? 'sending') === 'sending') return false
      items.remove(id)
      settles.get(id)?.reject(takenBack())
      return true
    },
    close: () => stop.abort(),
  }
}

const unsent = { state: 'queued', seq: null, refusal: null } as const
const takenBack = () => new DragomanError('unknown-prompt', 'The prompt was cancelled.')

/** Sends a prompt until the server has it or refuses it. */
function deliver(options: OutboxOptions, items: Items, item: Outgoing, signal: AbortSignal) {
  const { id, session, parts, parent } = item
  const body = { id, parts, parentId: parent } as Sent<'prompt'>['body']
  const ask = async () => {
    if (items.find(id) === undefined) throw takenBack()
    items.change(id, { state: 'sending' })
    const reply = await options.caller.call('prompt', { params: { session }, body }, { signal })
    items.change(id, { seq: reply.seq })
    return reply
  }
  return persist(options, signal, ask, () => items.change(id, unsent))
}

/** An answer of something between us and the server has no code. */
const refused = ({ code = 'internal', message }: Partial<DragomanError>): Partial<Outgoing> => ({
  state: 'refused',
  refusal: { code, message: message ?? '' },
})
