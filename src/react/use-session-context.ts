import { useMemo } from 'react'
import type { LiveView } from '../client/context/live-view.ts'
import {
  createSessionContext,
  type Context,
  type ContextCommands,
  type Interactions,
  type Manipulations,
  type SessionContext,
} from '../client/context/session-context.ts'
import type { Readable } from '../client/readable.ts'
import { useClient } from './provider.ts'
import { useReadable } from './use-readable.ts'

type Query<Name extends 'context' | 'manipulations' | 'interactions'> = NonNullable<
  Parameters<SessionContext[Name]>[0]
>

/** What a model is sent, and how it is changed. */
export interface UsedContext extends Pick<ContextCommands, 'change' | 'rollBack' | 'recall'> {
  /** Null until it was read. */
  readonly context: Context | null
  readonly problem: string | null
}

/** What the model of a session is sent and what was saved, live. */
export function useSessionContext(id: string, query?: Query<'context'>): UsedContext {
  const { commands, view } = useView(id, 'context', query, (all, asked) => all.context(asked))
  const { change, rollBack, recall } = commands
  return { context: view.value, problem: view.problem, change, rollBack, recall }
}

/** The audit of what counts, and how it is changed. */
export interface UsedManipulations extends Pick<ContextCommands, 'change' | 'rollBack'> {
  readonly manipulations: Manipulations['manipulations']
  /** The `before` of the page before; null when there is none. */
  readonly next: number | null
  readonly problem: string | null
}

/** The newest lines of the audit of what counts in a session, the oldest first, live. */
export function useManipulations(id: string, query?: Query<'manipulations'>): UsedManipulations {
  const { commands, view } = useView(id, 'manipulations', query, (all, asked) => all.manipulations(asked))
  const { change, rollBack } = commands
  const { manipulations = none, next = null } = view.value ?? {}
  return { manipulations, next, problem: view.problem, change, rollBack }
}

/** Interactions, and what can be done with them. */
export interface UsedInteractions extends Pick<
  ContextCommands,
  'change' | 'rollBack' | 'merge' | 'exportInteraction'
> {
  readonly interactions: Interactions['interactions']
  /** The `before` of the page before; null when there is none. */
  readonly next: number | null
  readonly problem: string | null
}

/** The newest interactions of a session, the oldest first, live. */
export function useInteractions(id: string, query?: Query<'interactions'>): UsedInteractions {
  const { commands, view } = useView(id, 'interactions', query, (all, asked) => all.interactions(asked))
  const { change, rollBack, merge, exportInteraction } = commands
  const { interactions = nobody, next = null } = view.value ?? {}
  return { interactions, next, problem: view.problem, change, rollBack, merge, exportInteraction }
}

const none: Manipulations['manipulations'] = []
const nobody: Interactions['interactions'] = []

/** The same session and the same words of a query are the same view, however often they are written. */
function useView<Name extends 'context' | 'manipulations' | 'interactions', Value>(
  id: string,
  name: Name,
  query: Query<Name> | undefined,
  open: (all: SessionContext, query: Query<Name> | undefined) => Readable<LiveView<Value>>,
) {
  const client = useClient()
  const commands = useMemo(() => createSessionContext(client, id), [client, id])
  const text = JSON.stringify(query ?? null)
  const readable = useMemo(
    () => open(commands, (JSON.parse(text) as Query<Name> | null) ?? undefined),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the query, and the name for the function
    [commands, text, name],
  )
  return { commands, view: useReadable(readable) }
}
