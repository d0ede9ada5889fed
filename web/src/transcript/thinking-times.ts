import type { Client, Readable, Session, SessionState, StreamingBlock } from 'dragoman/client'
import { createWritable } from 'dragoman/client/readable'

/** When thinking started and stopped. */
export interface ThinkingTime {
  readonly from: number
  readonly to: number | null
}

/** A part of reasoning. */
export interface ThoughtPlace {
  readonly thread: string | null
  readonly message: string | null
  /** The id of the part. */
  readonly thought: string
}

/** How long the agent thought: as it is measured here, or as the server has it. */
export interface ThinkingTimes {
  /** By the key of a thought. */
  readonly known: Readable<ReadonlyMap<string, ThinkingTime>>
  /** Asks the server, once, about an interaction of which this page has not seen everything. */
  readonly ask: (interaction: string) => void
  readonly start: () => () => void
}

/** More text than this can't arrive at once: the thought started earlier. */
const tooMuch = 400

/** The key of a thought. */
export const thoughtKey = ({ thread, message, thought }: ThoughtPlace): string =>
  JSON.stringify([thread, message, thought])

/** Measures what streams by; what was thought before this page was there is asked for. */
export function createThinkingTimes(
  { call, surroundings: { now } }: Pick<Client, 'call' | 'surroundings'>,
  session: Pick<Session, 'id' | 'state' | 'streaming'>,
): ThinkingTimes {
  const known = createWritable<ReadonlyMap<string, ThinkingTime>>(new Map())
  const learn = (news: readonly (readonly [string, ThinkingTime])[]) => {
    if (news.length > 0) known.set(new Map([...known.get(), ...news]))
  }
  const asked = new Set<string>()
  let seen: readonly StreamingBlock[] | null = null
  /** Streaming thoughts; null before the session is loaded, since those started earlier. */
  let open: ReadonlyMap<string, string> | null = null
  const look = ({ phase }: SessionState) => {
    const blocks = session.streaming.get()
    if (blocks === seen || (phase !== 'live' && phase !== 'catching-up')) return
    seen = blocks
    const before = open
    const streaming = thoughtsIn(blocks)
    open = streaming
    const times = known.get()
    const isNew = (key: string, text: string) =>
      before !== null && !before.has(key) && !times.has(key) && text.length < tooMuch
    const begun = [...streaming].flatMap(([key, text]) =>
      isNew(key, text) ? [[key, { from: now(), to: null }] as const] : [],
    )
    const ended = [...(before?.keys() ?? [])].flatMap(key => {
      const time = times.get(key)
      return time?.to === null && !streaming.has(key) ? [[key, { ...time, to: now() }] as const] : []
    })
    learn([...begun, ...ended])
  }
  return {
    known,
    ask(interaction) {
      if (asked.has(interaction)) return
      asked.add(interaction)
      call('GET /api/sessions/:session/interactions/:interaction/thinking', {
        params: { session: session.id, interaction },
      }).then(
        ({ thoughts }) =>
          learn(
            thoughts.flatMap(({ thread, message, part, start, end }) => {
              const key = thoughtKey({ thread, message, thought: part })
              // Thoughts measured here stay so; those that stopped streaming have ended.
              const to = end?.at ?? (open?.has(key) ? null : now())
              return known.get().has(key) ? [] : [[key, { from: start.at, to }] as const]
            }),
          ),
        // Without an answer it goes without; the next look asks again.
        () => void asked.delete(interaction),
      )
    },
    start: () => session.state.subscribe(look),
  }
}

/** The text of each streaming thought. */
const thoughtsIn = (blocks: readonly StreamingBlock[]): ReadonlyMap<string, string> =>
  new Map(
    blocks.flatMap(({ thread, message, part }) =>
      part.type === 'reasoning'
        ? [[thoughtKey({ thread, message, thought: part.id ?? '' }), part.text] as const]
        : [],
    ),
  )
