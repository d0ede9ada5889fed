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

/** How long the agent thought: measured here, or from the server. */
export interface ThinkingTimes {
  /** By the key of a thought. */
  readonly known: Readable<ReadonlyMap<string, ThinkingTime>>
  /** Loads the times of an interaction, once, if this page has not seen all of it. */
  readonly ask: (interaction: string) => void
  /** Takes in a new state of the session. */
  readonly look: (state: SessionState) => void
}

/** More text than this can't arrive at once: the thought started earlier. */
const tooMuch = 400

/** The key of a thought. */
export const thoughtKey = ({ thread, message, thought }: ThoughtPlace): string =>
  JSON.stringify([thread, message, thought])

/** Measures streaming thoughts; times of earlier thoughts are loaded. */
export function createThinkingTimes(
  { call, surroundings: { now } }: Pick<Client, 'call' | 'surroundings'>,
  session: Pick<Session, 'id' | 'streaming'>,
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
    const started = [...streaming].flatMap(([key, text]) =>
      isNew(key, text) ? [[key, { from: now(), to: null }] as const] : [],
    )
    const ended = [...(before?.keys() ?? [])].flatMap(key => {
      const time = times.get(key)
      return time?.to === null && !streaming.has(key) ? [[key, { ...time, to: now() }] as const] : []
    })
    learn([...started, ...ended])
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
        // Without a reply no time is shown; the next row asks again.
        () => void asked.delete(interaction),
      )
    },
    look,
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
