import { useMemo } from 'react'
import type { LiveReadable } from '../client/context/live-view.ts'
import {
  createSessionContext,
  type Context,
  type ContextCommands,
  type Interactions,
  type Manipulations,
  type SessionContext,
} from '../client/context/session-context.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

type Query<Name extends 'context' | 'manipulations' | 'interactions'> = NonNullable<
  Parameters<SessionContext[Name]>[0]
>

/** How the reading of something went. */
export interface UsedReading {
  /** Why it could not be loaded again, in a sentence. */
  readonly problem: string | null
  /** Reads it once more. */
  readonly again: () => void
}

/** What a model is sent, and how it is changed. */
export interface UsedContext extends UsedReading, Pick<ContextCommands, 'change' | 'rollBack' | 'recall'> {
  /** Null until it was read. */
  readonly context: Context | null
}

/** What the model of a session is sent and what was saved, live. */
export function useSessionContext(id: string, query?: Query<'context'>): UsedContext {
  const { commands, view, again } = useView(id, query, openContext)
  const { change, rollBack, recall } = commands
  return { context: view.value, problem: view.problem, again, change, rollBack, recall }
}

/** The list of context changes, and functions to make them. */
export interface UsedManipulations extends UsedReading, Pick<ContextCommands, 'change' | 'rollBack'> {
  /** Whether they were not read yet. */
  readonly loading: boolean
  readonly manipulations: Manipulations['manipulations']
  /** The `before` of the page before; null when there is none. */
  readonly next: number | null
}

/** The newest context changes of a session, oldest first, live. */
export function useManipulations(id: string, query?: Query<'manipulations'>): UsedManipulations {
  const { commands, view, again } = useView(id, query, openManipulations)
  const { change, rollBack } = commands
  const { manipulations = none, next = null } = view.value ?? {}
  return { manipulations, next, loading: view.value === null, problem: view.problem, again, change, rollBack }
}

/** Interactions, and what can be done with them. */
export interface UsedInteractions
  extends UsedReading, Pick<ContextCommands, 'change' | 'rollBack' | 'merge' | 'exportInteraction'> {
  /** Whether they were not read yet. */
  readonly loading: boolean
  readonly interactions: Interactions['interactions']
  /** The `before` of the page before; null when there is none. */
  readonly next: number | null
}

/** The newest interactions of a session, the oldest first, live. */
export function useInteractions(id: string, query?: Query<'interactions'>): UsedInteractions {
  const { commands, view, again } = useView(id, query, openInteractions)
  const { change, rollBack, merge, exportInteraction } = commands
  const { interactions = noInteractions, next = null } = view.value ?? {}
  const loading = view.value === null
  return {
    interactions,
    next,
    loading,
    problem: view.problem,
    again,
    change,
    rollBack,
    merge,
    exportInteraction,
  }
}

const none: Manipulations['manipulations'] = []
const noInteractions: Interactions['interactions'] = []

type Open<Name extends 'context' | 'manipulations' | 'interactions'> = (
  all: SessionContext,
  query: Query<Name> | undefined,
) => ReturnType<SessionContext[Name]>

const openContext: Open<'context'> = (all, query) => all.context(query)
const openManipulations: Open<'manipulations'> = (all, query) => all.manipulations(query)
const openInteractions: Open<'interactions'> = (all, query) => all.interactions(query)

/**
 * The same session and the same words of a query are the same view, however often they are written. What opens it must
 * be the same function each time.
 */
function useView<Asked, Value>(
  id: string,
  query: Asked | undefined,
  open: (all: SessionContext, query: Asked | undefined) => LiveReadable<Value>,
) {
  const client = useClient()
  const commands = useMemo(() => createSessionContext(client, id), [client, id])
  const text = JSON.stringify(query ?? null)
  const readable = useMemo(
    // The text represents the query.
    () => open(commands, (JSON.parse(text) as Asked | null) ?? undefined),
    [commands, text, open],
  )
  return { commands, view: useReadable(readable), again: readable.again }
}
