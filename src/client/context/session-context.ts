import type { Replied, Sent } from '../../protocol/api/api.ts'
import type { Entry } from '../../protocol/entry.ts'
import type { Event } from '../../protocol/event.ts'
import type { Client } from '../create-client.ts'
import { createLiveView, type LiveReadable } from './live-view.ts'

/** What a model is sent, and what was saved. */
export type Context = Replied<'getContext'>
/** The list of context changes. */
export type Manipulations = Replied<'listManipulations'>
/** Interactions with their state, their messages and how much was done in each. */
export type Interactions = Replied<'listInteractions'>
/** The original text of a part. */
export type Recalled = NonNullable<Context['recalled']>
/** One change that a person wants. */
export type Change = Sent<'manipulate'>['body']['changes'][number]
/** What to undo. */
export type RollbackWish = Sent<'rollBack'>['body']

/** The context changes that a person can make. */
export interface ContextCommands {
  /** All of the changes, or none of them. */
  readonly change: (...changes: readonly Change[]) => Promise<Replied<'manipulate'>>
  /** By the names of manipulations, or by tool, interaction or entry. Doing it again does nothing. */
  readonly rollBack: (what: RollbackWish) => Promise<Replied<'rollBack'>>
  /** The original text of a part, by its name or its short name. */
  readonly recall: (part: string) => Promise<Recalled | null>
  /** Appends interactions of another session to this one. */
  readonly merge: (from: string, interactions?: string[]) => Promise<Replied<'merge'>>
  /** One interaction as JSON lines. */
  readonly exportInteraction: (interaction: string) => Promise<Response>
}

/** The context of a session, live: each readable reloads when entries show a change. */
export interface SessionContext extends ContextCommands {
  readonly context: (query?: Sent<'getContext'>['query']) => LiveReadable<Context>
  readonly manipulations: (query?: Sent<'listManipulations'>['query']) => LiveReadable<Manipulations>
  readonly interactions: (query?: Sent<'listInteractions'>['query']) => LiveReadable<Interactions>
}

const changing = (...types: readonly Event['type'][]) => {
  const known = new Set<string>(types)
  return ({ event }: Entry) => known.has(event.type)
}

const isOfAudit = changing(
  'manipulation-applied',
  'manipulation-rejected',
  'manipulation-rolled-back',
  'validity-changed',
  'interactions-merged',
)
const isOfContext = changing(
  'context-compiled',
  'manipulation-applied',
  'manipulation-rolled-back',
  'interaction-ended',
  'interactions-merged',
  'agent-assigned',
)
const isOfInteractions = changing(
  'interaction-started',
  'interaction-ended',
  'manipulation-applied',
  'manipulation-rolled-back',
  'validity-changed',
)

/** The context of a session, and how it is changed. */
export function createSessionContext(client: Client, session: string): SessionContext {
  const params = { session }
  return {
    context: (query = {}) =>
      createLiveView(client, session, {
        read: () => client.call('GET /api/sessions/:session/context', { params, query }),
        isNews: isOfContext,
      }),
    manipulations: (query = {}) =>
      createLiveView(client, session, {
        read: () => client.call('GET /api/sessions/:session/manipulations', { params, query }),
        isNews: isOfAudit,
      }),
    interactions: (query = {}) =>
      createLiveView(client, session, {
        read: () => client.call('GET /api/sessions/:session/interactions', { params, query }),
        isNews: isOfInteractions,
      }),
    change: (...changes) =>
      client.call('POST /api/sessions/:session/manipulations', { params, body: { changes: [...changes] } }),
    rollBack: body => client.call('POST /api/sessions/:session/manipulations/rollback', { params, body }),
    recall: async part =>
      (await client.call('GET /api/sessions/:session/context', { params, query: { part } })).recalled,
    merge: (from, interactions) =>
      client.call('POST /api/sessions/:session/merges', {
        params,
        body: { from, ...(interactions && { interactions }) },
      }),
    exportInteraction: interaction =>
      client.request('GET /api/sessions/:session/interactions/:interaction/export', {
        params: { session, interaction },
      }),
  }
}
